//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1
// The barrier orders nothing in an iteration in which the writer goes round it; nor does the read follow from being in the loop.

__kernel void continue_past_barrier_write(__global uint *out, __local uint *cell)
{
    uint lid = get_local_id(0);
    uint i = 0;
    uint sum = 0;
    for (;;) {
        i++;
        if (lid == 3) {
            *cell = i; //~ race
        }
        if (i < 10 && lid < 32) {
            continue;
        }
        sum += *cell; //~ race
        if (i >= 10) {
            break;
        }
    }
    out[lid] = sum;
}
