//conditional: distinct(level)
//--local_size=* --num_groups=*
// contract: count > 0 && distinct(level)
// The nodes of a level of a graph, which no other level has.

kernel void relax(global float *x, global const float *b, global const uint *level, uint count)
{
    uint i = get_global_id(0);
    if (i < count) {
        uint node = level[i];
        x[node] = x[node] * 0.5f + b[node];
#ifdef DEFECT
        x[node + 1] = i;
#endif
    }
}
