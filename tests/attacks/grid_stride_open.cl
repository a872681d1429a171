//pass
//--local_size=* --num_groups=* --timeout=30
// The stride is the number of threads in the launch, which is no power of two and open. There is no race, as the counter
// does not wrap; a launch whose global size is another number than groups times threads would have one.

__kernel void grid_stride_open(__global int *y, uint n)
{
    if (n < 0x40000000) {
        for (uint i = get_global_id(0); i < n; i += get_global_size(0)) {
            y[i] = i + y[i];
        }
    }
}
