// racy
// run: --local-size 32 --num-groups 1 --arg bytes=zeros:uchar*128
// The single byte is the last one of the vector before it.

__kernel void parts_of_vectors(__global uchar *bytes)
{
    uint t = get_local_id(0);
    if (t % 2 == 0) {
        vstore4((uchar4)(t + 1), t, bytes); //~ race
    } else {
        bytes[4 * t - 1] = t + 1; //~ race
    }
}
