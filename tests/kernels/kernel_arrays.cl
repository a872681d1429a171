//pass
//--local_size=64 --num_groups=4 --kernel-arrays=kernel_arrays,1024,*,256

// What the kernel is given is as long as it needs: the output, and memory of the group. Of the second array nothing is said.
__kernel void kernel_arrays(__global int *out, __global const int *in, __local int *tile, int n)
{
    tile[get_local_id(0)] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = tile[63 - get_local_id(0)];
}
