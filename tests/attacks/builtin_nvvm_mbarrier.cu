//unknown
//--block-dim=64 --grid-dim=4
// Barriers in shared memory are not modelled.

__global__ void nvvm_mbarrier(long *place)
{
    __nvvm_mbarrier_init(place, 64); //~ unsupported
}
