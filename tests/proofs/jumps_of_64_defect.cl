//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1
// As jumps_of_64.cl, but the jumps are half as long.

__kernel void jumps_of_64_defect(__global int *out, __global const int *jump, int n)
{
    uint id = get_local_id(0);
    uint at = id;
    for (int i = 0; i < n; i++) {
        out[at] = i * 64 + id; //~ race
        at += jump[i * 64 + id] << 5;
    }
}
