//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4
// A copy of a struct reads all of its members, and another thread writes one.

struct entry {
    int key;
    char kind;
};

__global__ void struct_copy_against_member(entry *a, entry *b)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i & 1) {
        b[i] = a[i / 2]; //~ race
    } else {
        a[i / 2].kind = 3; //~ race
    }
}
