//pass
//--local_size=64 --num_groups=16
// open sizes too
// The same four bytes as a char4 and as an int: each thread clears its pixel with one int write
// and then sets the last component.

__global__ void clear_pixels(char4 *pixels)
{
    unsigned gid = blockIdx.x * blockDim.x + threadIdx.x;
    int *words = reinterpret_cast<int *>(pixels);
    words[gid] = 0;
    pixels[gid].w = 127;
}
