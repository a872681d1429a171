//xfail:NOT_ALL_VERIFIED
//--local_size=* --num_groups=* --timeout=20
// The stride is the number of threads in the launch, which is no power of two and open. Where n is close to 2^32, the index
// wraps around and comes back to cells of other threads.

__kernel void grid_stride_open(__global int *y, uint n)
{
    for (uint i = get_global_id(0); i < n; i += get_global_size(0)) {
        y[i] = i + y[i]; //~ race
    }
}
