//pass
//--local_size=64 --num_groups=16
// One allocation, two kinds of pointers to it: a table of 1024 words, and behind it a table of
// 1024 bytes, which begins after four bytes for each word.

constexpr size_t COUNT = 1024;

__global__ void fill_tables(unsigned char *memory)
{
    unsigned gid = blockIdx.x * blockDim.x + threadIdx.x;
    auto *words = reinterpret_cast<unsigned int *>(memory);
    unsigned char *bytes = memory + COUNT * sizeof(unsigned int);
    words[gid] = gid;
    bytes[gid] = 255;
}
