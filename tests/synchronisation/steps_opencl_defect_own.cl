//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4
// It waits for itself.

__kernel void steps_opencl(__global int *cells, __global atomic_int *done, __global int *sums, int n)
{
    int i = get_global_id(0), size = get_global_size(0);
    for (int step = 1; step <= n; step++) {
        cells[step * size + i] = step * i; //~ race
        atomic_store_explicit(&done[i], step, memory_order_release, memory_scope_device);
        if (i > 0) {
            while (atomic_load_explicit(&done[i], memory_order_acquire, memory_scope_device) < step) {
            }
            sums[step * size + i] = cells[step * size + i - 1]; //~ race
        }
    }
}
