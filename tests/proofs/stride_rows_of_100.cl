//pass
//--local_size=100 --num_groups=5
// Each of 500 threads fills its cells of a vector.

__kernel void stride_rows_of_100(__global int *owner, uint n)
{
    n &= 0xFFFFFF;
    for (uint i = get_global_id(0); i < n; i += 500) {
        owner[i] = get_global_id(0);
    }
}
