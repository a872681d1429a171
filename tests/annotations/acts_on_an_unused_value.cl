//xfail:INPUT
//--local_size=64 --num_groups=4
__kernel void acts_on_an_unused_value(__global uint *out, uint n)
{
    uint i = 0;
    bool holds;
    while (holds = __invariant(i <= n), i < n) {
        out[get_global_id(0)] = i++;
    }
}
