//unknown
//--block-dim=4 --grid-dim=1
// No contents that are tried are what is assumed, which have no influence on the sum that overflows in every run.

__global__ void beside_assumed_contents(int *list, const int *in)
{
    int t = threadIdx.x;
    __builtin_assume(in[t] == 7 * t + 3);
    int e = 2147483646 + t;
    list[e < 0 ? 0 : t] = t + in[t];
}
