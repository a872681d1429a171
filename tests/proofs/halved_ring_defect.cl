//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4
// As halved_ring.cl, but in the end there is not room for all.

__kernel void halved_ring_defect(__global const int *data, __global uint *out, uint n)
{
    uint lid = get_local_id(0);
    uint length = 4096;
    for (uint i = 0; i < n; i++) {
        if (data[i] > 0 && length >= 64) {
            length >>= 1;
        }
    }
    out[get_group_id(0) * 4096 + ((lid + n) & (length - 1))] = lid; //~ race
}
