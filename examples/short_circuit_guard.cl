//pass
//--local_size=64 --num_groups=16
// open sizes too
// A short-circuit guard: only even work-items look at their right neighbour's element at all,
// because && evaluates its right side only where the left one holds.

__kernel void minimum_of_pairs(__global int *a)
{
    int i = get_global_id(0);
    if (i % 2 == 0 && a[i + 1] < a[i]) {
        a[i] = a[i + 1];
    }
}
