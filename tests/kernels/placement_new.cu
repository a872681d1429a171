//pass
//--blockDim=64 --gridDim=16
// Objects are made where they are to be, without the header that says how.

struct Cell {
    int first, second;
    __device__ Cell(int number) : first(number), second(-number) {}
};

__global__ void placement_new(Cell *cells)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    Cell *cell = new (&cells[i]) Cell(i);
    cell->second = 0;
}
