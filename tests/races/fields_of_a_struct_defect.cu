// racy
// run: --block-dim 2 --grid-dim 1
// Bit-fields share a byte: to write one is to read and to write both.

struct Pair {
    unsigned char first : 4, second : 4;
};

__global__ void fields_of_a_struct(Pair *pair)
{
    if (threadIdx.x == 0) {
        pair->first = 1; //~ race
    } else {
        pair->second = 2; //~ race
    }
}
