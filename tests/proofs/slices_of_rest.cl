//pass
//--local_size=64 --num_groups=1
// n cells are split among 64 threads, the last of which may have less.

__kernel void slices_of_rest(__global int *out, int n)
{
    int chunk = (n + 63) / 64;
    int first = get_local_id(0) * chunk;
    int end = min(first + chunk, n);
    for (int i = first; i < end; i++) {
        out[i] = get_local_id(0);
    }
}
