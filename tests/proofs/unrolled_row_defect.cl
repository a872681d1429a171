//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4
// As unrolled_row.cl, but rows have 59 cells: a thread's last store meets the next thread's first.

#define ONE(k) a[59 * i + k] = x + k;
#define FOUR(k) ONE(k) ONE(k + 1) ONE(k + 2) ONE(k + 3)
#define TWENTY(k) FOUR(k) FOUR(k + 4) FOUR(k + 8) FOUR(k + 12) FOUR(k + 16)

__kernel void unrolled_row_defect(__global int *a, int x)
{
    int i = get_global_id(0);
    TWENTY(0) //~ race
    TWENTY(20)
    TWENTY(40) //~ race
}
