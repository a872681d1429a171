//pass
//--local_size=64 --num_groups=4 --global-offset=1
// assumes: global ids start at (1) (--global-offset)
// otherwise defect: --local_size=64 --num_groups=4
__kernel void given_offset(__global int *out)
{
    __local int cells[256];
    uint i = get_global_id(0);
    if (i == 0) cells[256 + i] = 1;
    out[i] = i;
}
