//pass
//--local_size=64 --num_groups=4
__kernel void assert(__global uint *out)
{
    uint i = get_local_id(0) * 4 + 3;
    __assert(i < 4 * get_local_size(0));
    out[get_global_id(0)] = i;
}
