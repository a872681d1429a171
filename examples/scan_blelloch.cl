//pass
//--local_size=64 --num_groups=16
// The Blelloch scan: an up-sweep that builds a tree of partial sums in place, and a down-sweep
// that hands them out. 64 work-items scan 128 elements.

#define SIZE 128

__kernel void scan_blelloch(__global const int *in, __global int *out)
{
    __local int tree[SIZE];
    int lid = get_local_id(0);
    int first = get_group_id(0) * SIZE + 2 * lid;
    tree[2 * lid] = in[first];
    tree[2 * lid + 1] = in[first + 1];
    barrier(CLK_LOCAL_MEM_FENCE);

    int span = 1;
    for (int nodes = SIZE / 2; nodes > 0; nodes /= 2) {
        if (lid < nodes) {
            tree[span * (2 * lid + 2) - 1] += tree[span * (2 * lid + 1) - 1];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        span *= 2;
    }

    if (lid == 0) {
        tree[SIZE - 1] = 0;
    }
    for (int nodes = 1; nodes < SIZE; nodes *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        span /= 2;
        if (lid < nodes) {
            int left = span * (2 * lid + 1) - 1;
            int right = span * (2 * lid + 2) - 1;
            int sum = tree[left];
            tree[left] = tree[right];
            tree[right] += sum;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    out[first] = tree[2 * lid];
    out[first + 1] = tree[2 * lid + 1];
}
