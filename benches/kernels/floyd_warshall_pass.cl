//pass
//--local_size=16,16 --num_groups=*,* --assume 'pass_number >= 0 && pass_number < num_nodes'
// A pass of Floyd and Warshall over all pairs of nodes: paths through one more node. The row and the column of that node stay
// as they are; a work-item writes only where it found a shorter path.

__kernel void floyd_warshall_pass(__global uint *path_distance, __global uint *path, int num_nodes, int pass_number)
{
    int x = get_global_id(0);
    int y = get_global_id(1);

#ifdef DEFECT
    if (x < num_nodes && y < num_nodes) {
#else
    if (x < num_nodes && y < num_nodes && x != pass_number && y != pass_number) {
#endif
        uint old_weight = path_distance[y * num_nodes + x];
        uint indirect = path_distance[y * num_nodes + pass_number]; //~ race column
        indirect += path_distance[pass_number * num_nodes + x]; //~ race row
        if (indirect < old_weight) {
            path_distance[y * num_nodes + x] = indirect; //~ race row column
            path[y * num_nodes + x] = pass_number;
        }
    }
}
