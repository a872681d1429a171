//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4 --kernel-arrays=kernel_arrays_defect,1023,*,256

// The last element is cut off.
__kernel void kernel_arrays_defect(__global int *out, __global const int *in, __local int *tile, int n)
{
    tile[get_local_id(0)] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = tile[63 - get_local_id(0)]; //~ out-of-bounds
}
