//xfail:INPUT
//--local_size=64 --num_groups=4
__kernel void acts_on_an_invariant(__global uint *out, uint n)
{
    for (uint i = 0; __invariant(i <= n) && i < n; i++) {
        out[get_global_id(0)] = i;
    }
}
