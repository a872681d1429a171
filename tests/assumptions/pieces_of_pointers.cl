//pass
//--local_size=64 --num_groups=4
// assumes: address computations in private arrays that hold pointers do not wrap
// otherwise verified: --local_size=64 --num_groups=4 -D OTHERWISE
// Beside the pointers stands something smaller, of which cells are made.
struct view {
    __global int *data;
    int value;
};

__kernel void pieces_of_pointers(__global int *out, __global int *other, uint k)
{
    uint i = get_global_id(0);
#ifdef OTHERWISE
    __global int *arrays[2] = {out, other};
    arrays[k & 1][i] = i;
#else
    struct view views[2] = {{out, 1}, {other, 2}};
    views[k & 1].value = 3;
    struct view chosen = views[k & 1];
    chosen.data[i] = i;
#endif
}
