//pass
//--local_size=256 --num_groups=* --assume 'no_of_nodes >= 0'
// End of a level of a breadth-first search: what was reached becomes the frontier, and whoever finds such a
// node tells the host that there is another level, all with the same value.

__kernel void bfs_update(__global char *graph_mask, __global char *updating_graph_mask, __global char *graph_visited,
                         __global int *over, int no_of_nodes)
{
    int tid = get_global_id(0);
    if (tid < no_of_nodes && updating_graph_mask[tid]) {
        graph_mask[tid] = true;
        graph_visited[tid] = true;
#ifdef DEFECT
        *over = tid; //~ race
#else
        *over = true;
#endif
        updating_graph_mask[tid] = false;
    }
}
