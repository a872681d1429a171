//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// Only the last round of the inner loop in the last round of the outer one leaves the work-item's area.

__kernel void nested_loops_corner(__global uint *out)
{
    uint gid = get_global_id(0);
    for (uint i = 0; i < 8; i++) {
        for (uint j = 0; j < 17; j++) {
            out[gid * 128 + i * 16 + j] = gid; //~ race
        }
    }
}
