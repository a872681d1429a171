//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16 --timeout=10
// Rows of 1000 elements, written up to and with the 1001st.

__kernel void overlap(__global uint *out)
{
    uint gid = get_global_id(0);
    for (uint i = 0; i <= 1000; i++) {
        out[gid * 1000 + i] = gid; //~ race
    }
}
