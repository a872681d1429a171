//xfail:INPUT
//--local_size=64 --num_groups=4
// It would be the value of now, not of the kernel's beginning.
__kernel void misplaced_old(__global uint *out, uint n)
{
    uint before = n;
    n = n + get_local_id(0);
    __assert(n == __old_int(n) + get_local_id(0));
    out[get_global_id(0)] = n - before;
}
