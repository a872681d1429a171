//pass
//--block-dim=64 --grid-dim=2
// All threads set one flag by volatile stores of the same width: relaxed atomic ones, which do not race.

__global__ void volatile_same_value(int *flag)
{
    __threadfence();
    *(volatile int *)flag = 1;
}
