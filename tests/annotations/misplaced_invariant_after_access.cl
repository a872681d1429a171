//xfail:INPUT
//--local_size=64 --num_groups=4
__kernel void misplaced_invariant_after_access(__global uint *out, uint n)
{
    uint i = 0;
    do {
        out[get_global_id(0)] = i;
        i++;
        __invariant(i >= 1);
    } while (i < n);
}
