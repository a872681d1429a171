//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// As break_two_places.cu, but it does not check that there is room: a full list's end mark falls
// into the first element of the next list.

constexpr int LENGTH = 8;

__global__ void copy_lists(const int *in, int *out)
{
    int first = (blockIdx.x * blockDim.x + threadIdx.x) * LENGTH;
    int i;
    for (i = 0; i < LENGTH; i++) {
        int element = in[first + i];
        if (element < 0) {
            break;
        }
        out[first + i] = element; //~ race
        if (element == 0) {
            i++;
            break;
        }
    }
    out[first + i] = -1; //~ race
}
