//pass
//--local_size=64 --num_groups=4
// Each thread writes the 60 cells of its own row, one store after the other. Each of the 3,600 pairs of stores is apart
// by other numbers.

#define ONE(k) a[60 * i + k] = x + k;
#define FOUR(k) ONE(k) ONE(k + 1) ONE(k + 2) ONE(k + 3)
#define TWENTY(k) FOUR(k) FOUR(k + 4) FOUR(k + 8) FOUR(k + 12) FOUR(k + 16)

__kernel void unrolled_row(__global int *a, int x)
{
    int i = get_global_id(0);
    TWENTY(0)
    TWENTY(20)
    TWENTY(40)
}
