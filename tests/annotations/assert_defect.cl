//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4
__kernel void assert_defect(__global uint *out)
{
    uint i = get_local_id(0) * 4 + 4;
    __assert(i < 4 * get_local_size(0)); //~ assertion
    out[get_global_id(0)] = i;
}
