//pass
//--local_size=128 --num_groups=* --assume 'n > 0 && n <= 0x20000000 && run > 0 && run <= 0x20000000 && get_global_size(0) <= 0x10000000'
// One pass of a merge sort: pairs of sorted runs are merged; every work-item finds by binary search where
// its eight results begin in both runs, and merges those.

#define PER_ITEM 8

__kernel void merge_pass(__global const int *in, __global int *out, int n, int run)
{
    int first_out = get_global_id(0) * PER_ITEM;
    if (first_out >= n) {
        return;
    }
    int pair = first_out / (2 * run) * (2 * run);
    int a_end = min(pair + run, n);
    int b_end = min(pair + 2 * run, n);
    int diagonal = first_out - pair;

    int low = max(0, diagonal - (b_end - a_end));
    int high = min(diagonal, a_end - pair);
    while (low < high) {
        int mid = (low + high) >> 1;
        if (in[pair + mid] <= in[a_end + diagonal - 1 - mid]) {
            low = mid + 1;
        } else {
            high = mid;
        }
    }

    int a = pair + low;
    int b = a_end + diagonal - low;
    for (int k = 0; k < PER_ITEM; k++) {
#ifdef DEFECT
        int where = get_local_id(0) * PER_ITEM + k;
#else
        int where = first_out + k;
#endif
        if (where < n) {
            bool from_a = a < a_end && (b >= b_end || in[a] <= in[b]);
            out[where] = in[from_a ? a++ : b++]; //~ race
        }
    }
}
