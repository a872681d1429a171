//pass
//--local_size=64 --num_groups=16
// A bounded result keeps each work-item within its own 64 elements, whatever the data.

__kernel void bounded(__global uint *a, __global uint *b, __global uint *c, __global const int *data)
{
    uint gid = get_global_id(0);
    int x = data[gid];
    a[gid * 64 + popcount(x)] = gid;
    b[gid * 64 + min(max(x, 0), 63)] = gid;
    c[gid * 64 + (abs(x) & 63)] = gid;
}
