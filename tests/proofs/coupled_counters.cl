//pass
//--local_size=56 --num_groups=1
// Two counters of one loop make the index.

__kernel void coupled_counters(__global int *out, __global const int *in, int n)
{
    int lid = get_local_id(0);
    int row = 0;
    for (int i = lid; i < n; i += 56, row++) {
        out[row * 60 + lid] = in[i];
    }
}
