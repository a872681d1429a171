//pass
//--local_size=[16,16] --num_groups=[*,*] --assume 'width == get_global_size(0) && height == get_global_size(1)'
// Sobel's edges of an image with four components a pixel; the border stays as it is.

__kernel void sobel_filter(__global uchar4 *input_image, __global uchar4 *output_image, uint width, uint height)
{
    uint x = get_global_id(0);
    uint y = get_global_id(1);
    int c = x + y * width;
    if (x >= 1 && x < width - 1 && y >= 1 && y < height - 1) {
        float4 i00 = convert_float4(input_image[c - 1 - width]); //~ race n0
        float4 i10 = convert_float4(input_image[c - width]); //~ race n1
        float4 i20 = convert_float4(input_image[c + 1 - width]); //~ race n2
        float4 i01 = convert_float4(input_image[c - 1]); //~ race n3
        float4 i21 = convert_float4(input_image[c + 1]); //~ race n4
        float4 i02 = convert_float4(input_image[c - 1 + width]); //~ race n5
        float4 i12 = convert_float4(input_image[c + width]); //~ race n6
        float4 i22 = convert_float4(input_image[c + 1 + width]); //~ race n7
        float4 gx = i00 + 2.0f * i10 + i20 - i02 - 2.0f * i12 - i22;
        float4 gy = i00 - i20 + 2.0f * i01 - 2.0f * i21 + i02 - i22;
#ifdef DEFECT
        input_image[c] = convert_uchar4(hypot(gx, gy) / 2.0f); //~ race n0 n1 n2 n3 n4 n5 n6 n7
#else
        output_image[c] = convert_uchar4(hypot(gx, gy) / 2.0f);
#endif
    }
}
