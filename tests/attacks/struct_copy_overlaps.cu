//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4
// Two threads copy different structs to one place.

struct entry {
    int key;
    char kind;
};

__global__ void struct_copy_overlaps(entry *a, entry *b)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    b[i / 2] = a[i]; //~ race
}
