//pass
//--local_size=64 --num_groups=1
// As leave_two_loops, but every thread comes out with a cell of its own.

__kernel void leave_two_loops_apart(__global int *out, __local int *scratch)
{
    uint lid = get_local_id(0);
    for (uint i = 0; i < 64; i++) {
        for (uint j = 0; j < 2; j++) {
            if (i == lid) {
                goto done;
            }
        }
    }
    return;
done:
    out[lid] = lid;
}
