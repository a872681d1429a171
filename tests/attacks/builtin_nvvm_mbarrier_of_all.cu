//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=4
// All threads initialise a barrier at one place.

__global__ void nvvm_mbarrier(long *place)
{
    __nvvm_mbarrier_init(place, 64); //~ race
}
