//unknown
//--block-dim=64 --grid-dim=1
// Writes to surfaces are not followed. Nothing is said about such a kernel.
surface<void, 2> places;

__global__ void k(int *a)
{
    surf2Dwrite((int)threadIdx.x, places, 0, 0); //~ unsupported
    a[surf2Dread<int>(places, 0, 0)] = threadIdx.x;
}
