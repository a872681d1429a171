//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=1
// Every lane makes another number of rounds, with a barrier of the block in each.

__global__ void lanes_in_loop(int *out)
{
    unsigned t = threadIdx.x;
    int rounds = 0;
    for (unsigned i = 0; i < 2 + t % 32; i++) {
        __syncthreads(); //~ barrier-divergence
        rounds++;
    }
    out[t] = rounds;
}
