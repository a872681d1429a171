//xfail:INPUT
//--local_size=64 --num_groups=4
// A name like an annotation's makes no annotation.
uint __put(__global uint *out, uint n)
{
    out[get_global_id(0)] = n;
    return n;
}

__kernel void misplaced_requires_after_call(__global uint *out, uint n)
{
    uint put = __put(out, n);
    __requires(n > 0);
}
