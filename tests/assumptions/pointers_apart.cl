//pass
//--local_size=64 --num_groups=4
// assumes: different pointer parameters point to memory that does not overlap
// otherwise defect: --local_size=64 --num_groups=4 -D OTHERWISE
// The neighbour's cell is one of another array. In one array it is being written.
#ifdef OTHERWISE
__kernel void pointers_apart(__global int *out)
{
    __global const int *in = out;
#else
__kernel void pointers_apart(__global int *out, __global const int *in)
{
#endif
    uint i = get_global_id(0);
    out[i] = in[i + 1] + i;
}
