//xfail:NOT_ALL_VERIFIED
//--local_size=16,16 --num_groups=*,*
// Two equal sums, of which one may not overflow and the other does, in threads that never come to the first.

__kernel void digits_promise_of_another_branch(__global int *a, __global int *b, int w, int h, int flag)
{
    int c = get_global_id(0), r = get_global_id(1);
    if (c >= h || w <= 0)
        return;
    if (flag) {
        int v = r * h + c;
        b[v * w] = c + 3 * r;
    } else {
        int u = (int)((uint)r * (uint)h + (uint)c);
        a[u * w] = c + 3 * r; //~? race
    }
}
