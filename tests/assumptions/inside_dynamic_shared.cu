//pass
//--block-dim=64 --grid-dim=4
// assumes: accesses stay inside cells, of which every launch gives enough bytes, and address computations in it do not wrap
// otherwise verified: -D BYTES=256
// otherwise defect: -D BYTES=252
extern __shared__ int cells[];

__global__ void inside_dynamic_shared()
{
    cells[threadIdx.x] = 1;
}

#ifdef BYTES
int main()
{
    inside_dynamic_shared<<<4, 64, BYTES>>>();
}
#endif
