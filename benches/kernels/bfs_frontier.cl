//pass
//--local_size=256 --num_groups=* --assume 'no_of_nodes >= 0'
// One level of a breadth-first search: the nodes of the frontier visit their neighbours; several may reach
// the same one and then write the same cost and flag.

typedef struct {
    int starting;
    int no_of_edges;
} Node;

__kernel void bfs_frontier(__global const Node *graph_nodes, __global const int *graph_edges, __global char *graph_mask,
                           __global char *updating_graph_mask, __global char *graph_visited, __global int *cost,
                           int level, int no_of_nodes)
{
    int tid = get_global_id(0);
    if (tid < no_of_nodes && graph_mask[tid]) {
        graph_mask[tid] = false;
        int end = graph_nodes[tid].starting + graph_nodes[tid].no_of_edges;
        for (int i = graph_nodes[tid].starting; i < end; i++) {
            int id = graph_edges[i];
            if (!graph_visited[id]) { //~ race
                cost[id] = level + 1;
                updating_graph_mask[id] = true;
#ifdef DEFECT
                graph_visited[id] = true; //~ race
#endif
            }
        }
    }
}
