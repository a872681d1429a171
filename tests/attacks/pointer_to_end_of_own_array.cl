//pass
//--local_size=64 --num_groups=1
// Within one array, pointers are equal for all threads or for none.

__kernel void pointer_to_end_of_own_array(__global int *out)
{
    int values[8];
    for (int *at = values; at != values + 8; at++) {
        *at = 1;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_local_id(0)] = values[0];
}
