// Tiles by TMA from a tensor map in the parameters, in two stages; one elected thread copies.
// launch: --local_size=128
// defect: the thread block does not wait for the end of the reads before the next copy.
// arch: 90 100
// skip: nvrtc11 clang
#include "instructions.h"

struct __attribute__((aligned(64))) TensorMap {
    unsigned long long opaque[16];
};

extern "C" __global__ void __launch_bounds__(128)
tensor_map_tile(const __grid_constant__ TensorMap map, float *out, int rounds)
{
    __shared__ __attribute__((aligned(128))) float tile[2][32][32];
    __shared__ mbarrier full[2];
    unsigned t = threadIdx.x;
    if (t == 0) {
        mbarrier_init(&full[0], 1);
        mbarrier_init(&full[1], 1);
        fence_mbarrier_init();
    }
    __syncthreads();
    float sum = 0.0f;
    for (int k = 0; k <= rounds; ++k) {
        if (t == 0 && k < rounds) {
            mbarrier_arrive_expect(&full[k % 2], 4096);
            asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes" //~ race shared
                         " [%0], [%1, {%2, %3}], [%4];" ::"r"(shared_address(tile[k % 2])),
                         "l"(&map), "r"(k * 32), "r"((int)blockIdx.x * 32), "r"(shared_address(&full[k % 2]))
                         : "memory");
        }
        if (k > 0) {
            int s = (k - 1) % 2;
            mbarrier_wait_by_loop(&full[s], (k - 1) / 2 % 2);
            for (int j = 0; j < 8; ++j) {
                sum += tile[s][t % 32][(t / 32 * 8 + j) ^ (t % 32)]; //~ race shared
            }
#ifndef DEFECT
            __syncthreads();
#endif
        }
    }
    out[blockIdx.x * 128 + t] = sum;
}
