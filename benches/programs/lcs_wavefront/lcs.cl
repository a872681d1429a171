// program: longest common subsequence by anti-diagonals, three of them in one buffer
// defect: diagonal: race: two diagonals, so a thread overwrites what its neighbour reads
#ifdef DEFECT
#define DIAGONALS 2
#else
#define DIAGONALS 3
#endif

/* Cell (i, d - i) of the table, for i from low to high; row i of a diagonal is at i + 1. */
__kernel void diagonal(__global const char *a, __global const char *b, __global int *lengths, int d, int low, int high,
                       int stride)
{
    const int i = low + get_global_id(0);
    if (i > high)
        return;
    const int j = d - i;
    __global int *current = lengths + (d % DIAGONALS) * stride;
    __global const int *last = lengths + ((d + DIAGONALS - 1) % DIAGONALS) * stride;
    __global const int *before = lengths + ((d + 2 * DIAGONALS - 2) % DIAGONALS) * stride;
    int value;
    if (a[i] == b[j])
        value = (i > 0 && j > 0 ? before[i] : 0) + 1; //~ race
    else
        value = max(i > 0 ? last[i] : 0, j > 0 ? last[i + 1] : 0);
    current[i + 1] = value; //~ race
}
