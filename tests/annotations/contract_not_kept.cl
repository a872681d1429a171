//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4
uint half_of(uint n)
{
    __ensures(__return_val_uint() * 2 == n); //~ assertion
    return n / 2;
}

__kernel void contract_not_kept(__global uint *out)
{
    out[get_global_id(0)] = half_of(get_global_id(0));
}
