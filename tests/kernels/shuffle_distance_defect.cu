//xfail:NOT_ALL_VERIFIED
//--blockDim=32 --gridDim=1
// A distance of 33 is one of 1: the first two lanes have the place of the first.
__global__ void shuffle_distance(int *out)
{
    int place = __shfl_up_sync(0xffffffff, (int)threadIdx.x, 33);
    out[place] = 1 + threadIdx.x; //~ race
}
