// A switch of many cases, which compilers print as a branch by a table.
// launch: --local_size=128
// defect: one case has a barrier, and the cases of one thread block differ.
// options: nvcc --jump-table-density=50
// arch: 80 100
// example: nvcc
#include "device.h"

extern "C" __global__ void __launch_bounds__(128) switch_table(const unsigned char *code, const int *in, int *out)
{
    __shared__ int cells[128];
    unsigned t = threadIdx.x;
    unsigned i = blockIdx.x * 128 + t;
    cells[t] = in[i];
    __syncthreads();
    int x = cells[t ^ 1];
    volatile int *mine = &out[i];
    switch (code[i]) {
    case 0: *mine = x + 7; break;
    case 1: *mine = x * x; *mine = *mine - 1; break;
    case 2: *mine = cells[(t + 5) & 127]; break;
    case 3:
#ifdef DEFECT
        __syncthreads(); //~ divergence
#endif
        *mine = x >> 3;
        break;
    case 4: *mine = __popc(x); break;
    case 5: *mine = x & 0x5a5a; *mine = *mine | 3; break;
    case 6: *mine = -x; break;
    case 7: *mine = x / 11; break;
    case 8: *mine = x * 3; *mine = *mine ^ 9; break;
    case 9: *mine = cells[(t + 9) & 127] - x; break;
    case 10: *mine = x % 5; break;
    case 11: *mine = ~x; break;
    case 12: *mine = x << 2; *mine = *mine + 1; break;
    case 13: *mine = x | 64; break;
    case 14: *mine = x > 0 ? 1 : -1; break;
    case 15: *mine = 1 - x; break;
    default: *mine = 0; break;
    }
}
