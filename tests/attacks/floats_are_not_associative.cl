//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1
// Two sums of the same three numbers, in two orders, are two numbers.

__kernel void floats_are_not_associative(__global int *out, float a, float b, float c)
{
    uint i = get_local_id(0);
    float sum = i < 32 ? (a + b) + c : a + (b + c);
    if (sum > 0.0f) {
        barrier(CLK_LOCAL_MEM_FENCE); //~? barrier-divergence
    }
    out[i] = 1;
}
