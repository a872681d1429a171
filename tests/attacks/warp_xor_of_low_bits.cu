//pass
//--blockDim=2 --gridDim=1
// In CUDA a lane's number is flipped by the five low bits: a number of 33 leads to the neighbour.

extern "C" __global__ void warp_xor_of_low_bits(int *a)
{
    int t = threadIdx.x;
    int other = __shfl_xor_sync(0xffffffffu, t, 33);
    a[other == t ? 0 : 1 + t] = t;
}
