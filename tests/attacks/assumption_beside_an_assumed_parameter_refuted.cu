//unknown
//--block-dim=4 --grid-dim=1
// No input that is tried is what is assumed, which has no influence on the sum that overflows in every run.

__global__ void beside_an_assumed_parameter(int *list, int n)
{
    __builtin_assume(n == 0x12345678);
    int t = threadIdx.x;
    int e = 2147483646 + t;
    list[e < 0 ? 0 : t] = t + n;
}
