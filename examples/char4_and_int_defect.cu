//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// As char4_and_int.cu, but the component set is that of the next pixel, which the next thread
// clears.

__global__ void clear_pixels(char4 *pixels)
{
    unsigned gid = blockIdx.x * blockDim.x + threadIdx.x;
    int *words = reinterpret_cast<int *>(pixels);
    words[gid] = 0; //~ race
    pixels[gid + 1].w = 127; //~ race
}
