//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// The access is in a function that is called twice, with the right index and with a wrong one.

void put(__global uint *out, uint i, uint value)
{
    out[i] = value; //~ race
}

__kernel void race_in_function(__global uint *out)
{
    uint gid = get_global_id(0);
    put(out, 2 * gid, gid);
    put(out, 2 * gid + 2, gid);
}
