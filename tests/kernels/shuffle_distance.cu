//pass
//--blockDim=32 --gridDim=1
// Of a distance five bits count: 32 is none at all, so that each lane receives its own number.
__global__ void shuffle_distance(int *out)
{
    int place = __shfl_up_sync(0xffffffff, (int)threadIdx.x, 32);
    out[place] = 1 + threadIdx.x;
}
