//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// As sized_pointers.cu, but the bytes begin after 1024 bytes, as if a word had one: they fall into
// the words of other threads.

constexpr size_t COUNT = 1024;

__global__ void fill_tables(unsigned char *memory)
{
    unsigned gid = blockIdx.x * blockDim.x + threadIdx.x;
    auto *words = reinterpret_cast<unsigned int *>(memory);
    unsigned char *bytes = memory + COUNT;
    words[gid] = gid; //~ race
    bytes[gid] = 255; //~ race
}
