// race-free
// run: --block-dim 32 --grid-dim 2
// Both scopes include all threads of the launch.

__global__ void device_and_system_scope(int *largest)
{
    if (blockIdx.x == 0) {
        atomicMax(largest, (int)threadIdx.x);
    } else {
        atomicMax_system(largest, (int)threadIdx.x);
    }
}
