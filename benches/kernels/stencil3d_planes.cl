//pass
//--local_size=32,4 --num_groups=*,* --assume 'nx > 0 && ny > 0'
// Seven-point stencil in three dimensions: groups cover a plane and walk along z with the planes behind and ahead in registers,
// the current one with its halo in local memory, two barriers per plane.

#define TX 32
#define TY 4

__kernel void stencil3d(__global const float *a0, __global float *a_next, float c0, float c1, int nx, int ny, int nz)
{
    __local float sh_a0[TY + 2][TX + 2];
    int tx = get_local_id(0), ty = get_local_id(1);
    int i = get_global_id(0) + 1;
    int j = get_global_id(1) + 1;
    int inside = i < nx - 1 && j < ny - 1;

    float bottom = inside ? a0[j * nx + i] : 0.0f;
    float current = inside ? a0[(ny + j) * nx + i] : 0.0f;
    for (int k = 1; k < nz - 1; k++) {
        float top = inside ? a0[((k + 1) * ny + j) * nx + i] : 0.0f;
        if (inside) {
            sh_a0[ty + 1][tx + 1] = current; //~ race n s w e
            if (tx == 0)
                sh_a0[ty + 1][0] = a0[(k * ny + j) * nx + i - 1];
            if (tx == TX - 1 || i == nx - 2)
                sh_a0[ty + 1][tx + 2] = a0[(k * ny + j) * nx + i + 1];
            if (ty == 0)
                sh_a0[0][tx + 1] = a0[(k * ny + j - 1) * nx + i];
            if (ty == TY - 1 || j == ny - 2)
                sh_a0[ty + 2][tx + 1] = a0[(k * ny + j + 1) * nx + i];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (inside) {
            float sum = top + bottom;
            sum += sh_a0[ty][tx + 1]; //~ race n
            sum += sh_a0[ty + 2][tx + 1]; //~ race s
            sum += sh_a0[ty + 1][tx]; //~ race w
            sum += sh_a0[ty + 1][tx + 2]; //~ race e
            a_next[(k * ny + j) * nx + i] = c1 * sum - current * c0;
        }
#ifndef DEFECT
        barrier(CLK_LOCAL_MEM_FENCE);
#endif
        bottom = current;
        current = top;
    }
}
