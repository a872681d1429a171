//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4
// Each block sets one flag in the scope of the device, and one of its threads reads it. It may have
// read what another block has stored. An operation of block scope on another cell is no excuse.

__global__ void mixed_scopes(int *data, int *flag, int *out)
{
    unsigned t = threadIdx.x, b = blockIdx.x;
    if (t == 0) {
        data[b] = 42; //~ race
        __threadfence();
        atomicExch(flag, 1);
        atomicAdd_block(flag + 1 + b, 0);
    } else if (t == 32) {
        if (atomicAdd(flag, 0) == 1) {
            __threadfence();
            out[b] = data[b]; //~ race
        }
    }
}
