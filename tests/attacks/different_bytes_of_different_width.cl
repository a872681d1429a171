//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// A byte and a half-word, equal as numbers of their widths, differ in the byte they share.

__kernel void different_bytes(__global ushort *cell)
{
    if (get_global_id(0) % 2 == 0) {
        *cell = 0x0001; //~ race
    } else {
        ((__global uchar *)cell)[1] = 0x01; //~ race
    }
}
