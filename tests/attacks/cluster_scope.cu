//xfail:NOT_ALL_VERIFIED
//--blockDim=1 --gridDim=2
// Blocks add at the scope of a cluster. They race if they are of different clusters, and no run claims that they are.

__global__ void cluster_scope(unsigned *count)
{
    asm volatile("red.relaxed.cluster.global.add.u32 [%0], 1;" ::"l"(count) : "memory"); //~? race
}
