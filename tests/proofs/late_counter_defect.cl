//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4
// As late_counter.cl, but the number is another one.

__kernel void late_counter(__global int *out, int n)
{
    int id = get_global_id(0);
    int count = 0;
    for (int k = 0; k < n; k++) {
        if (k >= 3) {
            out[id] = count;
            count++;
        }
    }
    __assert(n <= 3 || count == n - 2); //~ assertion
}
