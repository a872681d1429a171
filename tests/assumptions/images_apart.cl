//pass
//--local_size=64 --num_groups=4 --cl-std=CL2.0
// assumes: different image parameters are different images
// otherwise defect: --local_size=64 --num_groups=4 --cl-std=CL2.0 -D OTHERWISE
// The neighbour's pixel is one of another image. In one image it is being written.
#ifdef OTHERWISE
__kernel void images_apart(read_write image1d_t out)
{
#define in out
#else
__kernel void images_apart(write_only image1d_t out, read_only image1d_t in)
{
#endif
    int i = get_global_id(0);
    write_imagei(out, i, read_imagei(in, i + 1) + i);
}
