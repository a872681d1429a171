//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1
// Threads leave two loops at once, in different iterations of the outer one; those that left early still come here.

__kernel void leave_two_loops(__global int *out, __local int *scratch)
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
    out[lid / 2] = lid; //~ race
}
