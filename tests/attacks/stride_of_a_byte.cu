//xfail:NOT_ALL_VERIFIED
//--block-dim=48 --grid-dim=1
// A counter of one byte comes back to the elements of other threads.

__global__ void stride_of_a_byte(int *a, int n)
{
    for (unsigned char i = threadIdx.x; i < n; i += blockDim.x)
        a[i] = threadIdx.x; //~ race
}
