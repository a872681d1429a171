//pass
//--local_size=[8,8] --num_groups=[*,*] --assume 'image_w <= 32768 && image_h <= 32768'
// Volume rendering: each ray is cut with the box of the volume and then marches through it from front to
// back until the pixel is opaque.

int intersect_box(float4 origin, float4 direction, float4 box_min, float4 box_max, float *t_near, float *t_far)
{
    float4 inverse = (float4)(1.0f) / direction;
    float4 t_bottom = inverse * (box_min - origin);
    float4 t_top = inverse * (box_max - origin);
    float4 t_min = fmin(t_top, t_bottom);
    float4 t_max = fmax(t_top, t_bottom);
    *t_near = fmax(fmax(t_min.x, t_min.y), fmax(t_min.x, t_min.z));
    *t_far = fmin(fmin(t_max.x, t_max.y), fmin(t_max.x, t_max.z));
    return *t_far > *t_near;
}

__kernel void render(__global uint *d_output, uint image_w, uint image_h, __constant float *inv_view_matrix,
                     __global const uchar *volume, int side, float density, float brightness)
{
    uint x = get_global_id(0);
    uint y = get_global_id(1);
    float u = (x / (float)image_w) * 2.0f - 1.0f;
    float v = (y / (float)image_h) * 2.0f - 1.0f;
    float4 origin = (float4)(inv_view_matrix[3], inv_view_matrix[7], inv_view_matrix[11], 1.0f);
    float4 direction = normalize((float4)(u, v, -2.0f, 0.0f));
    float t_near;
    float t_far;
    int hit = intersect_box(origin, direction, (float4)(-1.0f), (float4)(1.0f), &t_near, &t_far);

    if (!hit) {
        if (x < image_w && y < image_h) {
            d_output[y * image_w + x] = 0; //~ race miss
        }
        return;
    }
    t_near = fmax(t_near, 0.0f);
    float4 sum = (float4)(0.0f);
    float t = t_near;
    for (int step = 0; step < 500; step++) {
        float4 pos = (origin + direction * t) * 0.5f + 0.5f;
        int voxel = ((int)(pos.z * side) * side + (int)(pos.y * side)) * side + (int)(pos.x * side);
        float4 colour = (float4)(volume[voxel] / 255.0f);
        colour.w *= density;
        colour.xyz *= colour.w;
        sum = sum + colour * (1.0f - sum.w);
        t += 0.01f;
        if (sum.w > 0.95f || t > t_far) {
            break;
        }
    }
    uint4 rgba = convert_uint4_sat(sum * brightness * 255.0f);
#ifndef DEFECT
    if (x < image_w && y < image_h) {
#endif
        d_output[y * image_w + x] = rgba.x | (rgba.y << 8) | (rgba.z << 16) | (rgba.w << 24); //~ race miss both
#ifndef DEFECT
    }
#endif
}
