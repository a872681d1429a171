//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=16
// Two threads each make their object in the same place.

struct Cell {
    int first, second;
    __device__ Cell(int number) : first(number), second(-number) {} //~ race
};

__global__ void placement_new(Cell *cells)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    new (&cells[i / 2]) Cell(i);
}
