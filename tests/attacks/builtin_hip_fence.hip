//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=4
// A fence tells nobody anything.

__global__ void hip_fence(int *data, int *out)
{
    unsigned i = blockIdx.x * 64 + threadIdx.x;
    data[i] = i; //~ race
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "agent");
    out[i] = data[i ^ 64]; //~ race
}
