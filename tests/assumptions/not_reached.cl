//pass
//--local_size=64 --num_groups=4
// assumes: code that the source marks as unreachable is not reached (line 9)
// otherwise defect: --local_size=64 --num_groups=4 -D OTHERWISE
// broken: --local-size=64 --num-groups=4 --arg=n=0
__kernel void not_reached(__global int *out, uint n)
{
#ifndef OTHERWISE
    if (n != 1) __builtin_unreachable();
#endif
    out[get_global_id(0) * n] = get_global_id(0);
}
