//pass
//--local_size=* --num_groups=*
// A vector plus a multiple of another.

__kernel void triad(__global const float *mem_a, __global const float *mem_b, __global float *mem_c, float s)
{
    int gid = get_global_id(0);
#ifdef DEFECT
    mem_c[gid / 2] = mem_a[gid] + s * mem_b[gid]; //~ race
#else
    mem_c[gid] = mem_a[gid] + s * mem_b[gid];
#endif
}
