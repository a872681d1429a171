//pass
//--local_size=64 --num_groups=1
// needs affine-equalities
// Each thread stays in a column of its own, however far it jumps.

__kernel void jumps_of_64(__global int *out, __global const int *jump, int n)
{
    uint id = get_local_id(0);
    uint at = id;
    for (int i = 0; i < n; i++) {
        out[at] = i;
        at += jump[i * 64 + id] << 6;
    }
}
