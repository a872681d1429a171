//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// As short_circuit_guard.cl, with || for &&: now the odd work-items look at their right
// neighbours' elements, too, which those are writing.

__kernel void minimum_of_pairs(__global int *a)
{
    int i = get_global_id(0);
    if (i % 2 == 0 || a[i + 1] < a[i]) { //~ race guard
        a[i] = a[i + 1]; //~ race guard body
    }
}
