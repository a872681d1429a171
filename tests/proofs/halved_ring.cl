//pass
//--local_size=64 --num_groups=4
// needs recurrences
// A ring is halved now and then; as long as it has room for all, and its length stays a power of two, places are distinct.

__kernel void halved_ring(__global const int *data, __global uint *out, uint n)
{
    uint lid = get_local_id(0);
    uint length = 4096;
    for (uint i = 0; i < n; i++) {
        if (data[i] > 0 && length >= 128) {
            length >>= 1;
        }
    }
    out[get_group_id(0) * 4096 + ((lid + n) & (length - 1))] = lid;
}
