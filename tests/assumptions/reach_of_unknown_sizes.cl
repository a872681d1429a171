//pass
//--local_size=64 --num_groups=3
// assumes: an array whose size is not known has at most 2^56 bytes
// otherwise verified: --local_size=64 --num_groups=3 -D OTHERWISE
// otherwise verified: --local_size=64 --num_groups=3 --pointer-bits=32 -D OTHERWISE
// A counter as wide as an address goes up to where an array ends, and no further: its sums do not come round to other
// threads' cells.
#ifdef OTHERWISE
__kernel void reach_of_unknown_sizes(__global uint *out, uint n)
{
    for (uint i = get_global_id(0); i < n / 2; i += 192) {
#else
__kernel void reach_of_unknown_sizes(__global uint *out, ulong n)
{
    for (ulong i = get_global_id(0); i < n; i += 192) {
#endif
        out[i] = get_global_id(0);
    }
}
