//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4
__kernel void sum_defect(__global uint *out, uint before, uint n)
{
    uint end = before + n;
    __assert(end >= before); //~ assertion
    out[get_global_id(0)] = end;
}
