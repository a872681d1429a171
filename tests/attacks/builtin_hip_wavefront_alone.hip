//pass
//--block-dim=64 --grid-dim=1
// The scope is the wavefront, of 64 threads.

__global__ void hip_wavefront_alone(int *counter)
{
    __hip_atomic_fetch_add(counter, 1, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WAVEFRONT);
}
