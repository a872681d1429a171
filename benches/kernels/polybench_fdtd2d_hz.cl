//pass
//--local_size=32,8 --num_groups=*,*
// fdtd2d, the step that updates the magnetic field from both electric fields; the three arrays have different widths.

__kernel void fdtd2d_kernel3(__global const float *ex, __global const float *ey, __global float *hz, int nx, int ny)
{
    int j = get_global_id(0);
    int i = get_global_id(1);

#ifdef DEFECT
    if (i < nx && j <= ny)
#else
    if (i < nx && j < ny)
#endif
        hz[i * ny + j] -= 0.7f * (ex[i * (ny + 1) + j + 1] - ex[i * (ny + 1) + j] + ey[(i + 1) * ny + j] - ey[i * ny + j]); //~ race
}
