//pass
//--local_size=64 --num_groups=16
// open sizes too
// Two threads share a union: the even one writes the lower half of the word, the odd one the
// upper half. Different members, different bytes.

union Cell {
    unsigned int word;
    unsigned short half_word[2];
};

__global__ void fill_cells(Cell *cells, const unsigned int *values)
{
    unsigned gid = blockIdx.x * blockDim.x + threadIdx.x;
    if (gid % 2 == 0) {
        cells[gid / 2].half_word[0] = values[gid];
    } else {
        cells[gid / 2].half_word[1] = values[gid];
    }
}
