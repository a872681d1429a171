//pass
//--local_size=64 --num_groups=1
// needs abstract-values
// Each thread goes down a tree of 63 nodes kept as a heap, and marks where it has been.

__kernel void tree_descent(__global int *mark, __global const int *key)
{
    int id = get_local_id(0);
    int node = 0;
    while (node < 31) {
        mark[id * 63 + node] = id;
        node = 2 * node + 1 + (key[node] > id);
    }
    mark[id * 63 + node] = id + 1;
}
