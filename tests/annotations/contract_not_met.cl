//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4
uint half_of(uint n)
{
    __requires(n % 2 == 0); //~ assertion
    return n / 2;
}

__kernel void contract_not_met(__global uint *out)
{
    out[get_global_id(0)] = half_of(get_global_id(0));
}
