//pass
//--local_size=64 --num_groups=1
// An array of the group has one address for all of its threads.

__kernel void address_of_shared_array(__global int *out, __local int *shared)
{
    if (((size_t)shared >> 4) & 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        out[(get_local_id(0) + 1) % 64] = 1;
    }
}
