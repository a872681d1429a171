//pass
//--local_size=64 --num_groups=4
__kernel void sum(__global uint *out, uint before, uint n)
{
    uint end = __add_noovfl_unsigned_int(before, n);
    __assert(end >= before && end >= n);
    __assert(__add_noovfl(before, n));
    out[get_global_id(0)] = end;
}
