//unknown
//--blockDim=64 --gridDim=16
// An instruction that is not known is refused by name.

__global__ void ptx_refused(int *out)
{
    asm volatile("frobnicate.global.u32 [%0];" ::"l"(out) : "memory"); //~ unsupported
}
