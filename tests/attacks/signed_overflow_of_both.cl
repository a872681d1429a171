//pass
//--local_size=64 --num_groups=1
// As signed_overflow_of_others.cl, but the work-items that race are those that overflow before.

__kernel void signed_overflow_of_both(__global int *out, __global int *limit, int n)
{
    int id = get_local_id(0);
    if (id < 2) {
        limit[(n + 1) & 1 ? 64 : id] = 0;
    }
    if (id < 2 && n == 2147483647) {
        out[0] = id;
    }
}
