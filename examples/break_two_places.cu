//pass
//--local_size=64 --num_groups=16
// A loop left by break from two places: each thread copies a list, up to a negative element or up
// to and with a zero, and ends the copy with -1 if there is room.

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
        out[first + i] = element;
        if (element == 0) {
            i++;
            break;
        }
    }
    if (i < LENGTH) {
        out[first + i] = -1;
    }
}
