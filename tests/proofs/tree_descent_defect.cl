//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1
// As tree_descent.cl, but the tree has a row more.

__kernel void tree_descent_defect(__global int *mark, __global const int *key)
{
    int id = get_local_id(0);
    int node = 0;
    while (node < 7) {
        mark[id * 7 + node] = id; //~ race inner
        node = 2 * node + 1 + (key[node] > id);
    }
    mark[id * 7 + node] = id + 100; //~ race inner leaf
}
