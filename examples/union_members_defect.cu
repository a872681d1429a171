//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// As union_members.cu, but the even thread writes the whole word, and with it the half that
// belongs to the odd one.

union Cell {
    unsigned int word;
    unsigned short half_word[2];
};

__global__ void fill_cells(Cell *cells, const unsigned int *values)
{
    unsigned gid = blockIdx.x * blockDim.x + threadIdx.x;
    if (gid % 2 == 0) {
        cells[gid / 2].word = values[gid]; //~ race
    } else {
        cells[gid / 2].half_word[1] = values[gid]; //~ race
    }
}
