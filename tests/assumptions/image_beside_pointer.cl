//pass
//--local_size=64 --num_groups=4
// assumes: no pointer parameter points into an image
// otherwise verified: --local_size=64 --num_groups=4 -D OTHERWISE
// An image may be made of a buffer: then the neighbour's pixel is the cell that is read.
#ifdef OTHERWISE
__kernel void image_beside_pointer(write_only image1d_buffer_t out)
{
    __local int in[65];
    in[get_local_id(0)] = 0;
#else
__kernel void image_beside_pointer(write_only image1d_buffer_t out, __global const int *in)
{
#endif
    int i = get_local_id(0);
    write_imagei(out, get_global_id(0), (int4)(in[i]));
}
