//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4
// The second half of the condition is not met.
uint half_of(uint n)
{
    __requires(n % 2 == 0 && n < 100); //~ assertion
    return n / 2;
}

__kernel void contract_with_conditions_not_met(__global uint *out, uint n)
{
    __requires(n > 0 && n < 100);
    out[get_global_id(0)] = half_of(2 * n);
}
