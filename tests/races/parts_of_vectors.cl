// race-free
// run: --local-size 32 --num-groups 1 --arg bytes=zeros:uchar*128
// Every thread writes four bytes, as a vector or one by one.

__kernel void parts_of_vectors(__global uchar *bytes)
{
    uint t = get_local_id(0);
    if (t % 2 == 0) {
        vstore4((uchar4)(t), t, bytes);
    } else {
        bytes[4 * t] = bytes[4 * t + 3] = t;
    }
}
