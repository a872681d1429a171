//pass
//--block-dim=32 --grid-dim=1 --warp-sync=32
// As warp_in_step_on_two_paths.cu, with an access between the two that both lanes execute.
__global__ void warp_in_step_after_two_paths(int *out, unsigned n)
{
    __shared__ int cells[32];
    unsigned t = threadIdx.x;
    if (t == 0) {
        cells[1] = 5;
    }
    out[t] = 3;
    if (t == 1) cells[1] = 6;
}
