//pass
//--local_size=40 --num_groups=3
// Four elements in each round of a grid-stride loop.

__kernel void stride_several(__global int *out, int n)
{
    int threads = 120;
    for (int i = get_global_id(0); i < n; i += 4 * threads) {
        out[i] = 0;
        out[i + threads] = 1;
        out[i + 2 * threads] = 2;
        out[i + 3 * threads] = 3;
    }
}
