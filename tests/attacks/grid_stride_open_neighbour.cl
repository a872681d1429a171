//xfail:NOT_ALL_VERIFIED
//--local_size=* --num_groups=*
// As grid_stride_open.cl, with the neighbour's cell read.

__kernel void grid_stride_open_neighbour(__global int *y, uint n)
{
    if (n < 0x40000000) {
        for (uint i = get_global_id(0); i < n; i += get_global_size(0)) {
            y[i] = i + y[i + 1]; //~ race
        }
    }
}
