//xfail:NOT_ALL_VERIFIED
//--local_size=32 --num_groups=2
// The pixels of an image are taken apart and put together again, with one channel more than the image has: it is the
// first channel of the next image.
__kernel void channel_beyond_its_image(__global int *out)
{
    const int i = get_global_id(0);
    const int column = i % 5, row = i / 5 % 3, image = i / 5 / 3;
    for (int channel = 0; channel <= 4; channel++)
        out[(image * 4 * 3 + row) * 5 + column + channel * 15] = i; //~ race a
}
