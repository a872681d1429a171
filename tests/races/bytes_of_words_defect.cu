// racy
// run: --block-dim 32 --grid-dim 2 --arg bytes=zeros:uchar*64
// The last thread writes the word that four others write the bytes of.

__global__ void bytes_of_words(unsigned char *bytes)
{
    unsigned i = blockIdx.x * 32 + threadIdx.x;
    if (i == 63) {
        *(unsigned *)bytes = 0xffffffff; //~ race
    } else {
        bytes[i] = i; //~ race
    }
}
