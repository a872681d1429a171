// race-free
// run: --block-dim 2 --grid-dim 1
// Fields of a struct are places of their own, next to each other or not.

struct Pair {
    unsigned char first, second;
};

__global__ void fields_of_a_struct(Pair *pair)
{
    if (threadIdx.x == 0) {
        pair->first = 1;
    } else {
        pair->second = 2;
    }
}
