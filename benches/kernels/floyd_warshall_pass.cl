//pass
//--local_size=[16,16] --num_groups=[*,*] --assume 'num_nodes > 0 && num_nodes <= 32768 && pass >= 0 && pass < num_nodes'
// One pass of the shortest paths by Floyd and Warshall, in place: row and column of the node that paths may
// now go through stay as they are.

__kernel void floyd_warshall_pass(__global int *path_distance, __global int *path, const int num_nodes, const int pass)
{
    int x = get_global_id(0);
    int y = get_global_id(1);
#ifdef DEFECT
    if (x >= num_nodes || y >= num_nodes || x == pass) {
#else
    if (x >= num_nodes || y >= num_nodes || x == pass || y == pass) {
#endif
        return;
    }
    int old_weight = path_distance[y * num_nodes + x]; //~ race old
    int via = path_distance[y * num_nodes + pass] + path_distance[pass * num_nodes + x]; //~ race
    if (via < old_weight) {
        path_distance[y * num_nodes + x] = via; //~ race
        path[y * num_nodes + x] = pass;
    }
}
