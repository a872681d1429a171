//pass
//--local_size=64 --num_groups=16
// printf is no access.

__kernel void print(__global uint *out)
{
    uint gid = get_global_id(0);
    out[gid] = gid;
    if (gid == 0) {
        printf("%u\n", out[0]);
    }
}
