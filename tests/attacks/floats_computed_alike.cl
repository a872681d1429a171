//pass
//--local_size=64 --num_groups=1
// As floats_are_not_associative.cl, in one order.

__kernel void floats_computed_alike(__global int *out, float a, float b, float c)
{
    uint i = get_local_id(0);
    float sum = i < 32 ? (a + b) + c : (a + b) + c;
    if (sum > 0.0f) {
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[i] = 1;
}
