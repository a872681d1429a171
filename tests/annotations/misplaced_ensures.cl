//xfail:INPUT
//--local_size=64 --num_groups=4
// In the middle of a function it would be about what `n` is there.
uint half_of(uint n, __global uint *seen)
{
    seen[get_global_id(0)] = n;
    n = n / 2;
    __ensures(__return_val_uint() == n);
    return n;
}

__kernel void misplaced_ensures(__global uint *out, __global uint *seen)
{
    out[get_global_id(0)] = half_of(get_global_id(0), seen);
}
