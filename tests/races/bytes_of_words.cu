// race-free
// run: --block-dim 32 --grid-dim 2 --arg bytes=zeros:uchar*64
// Each thread writes one byte; that four of them make a word does not matter.

__global__ void bytes_of_words(unsigned char *bytes)
{
    unsigned i = blockIdx.x * 32 + threadIdx.x;
    bytes[i] = i;
}
