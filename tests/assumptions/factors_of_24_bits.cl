//pass
//--local_size=64 --num_groups=4
// assumes: the operands of mul24 have 24 bits (line 9)
// assumes: the factors of mad24 have 24 bits (line 9)
// otherwise verified: --local_size=64 --num_groups=4 -D OTHERWISE
__kernel void factors_of_24_bits(__global int *out, int n, int m)
{
#ifndef OTHERWISE
    n = mul24(n, 2) + mad24(m, 3, 4);
#endif
    out[get_global_id(0)] = n;
}
