//pass
//--local_size=64 --num_groups=12 --only-intra-group
// Nobody sets the counter: what threads of one group draw is distinct, whatever other groups draw, in every iteration.

__kernel void within_groups(__global unsigned *counter, __global int *out, int n)
{
    for (int i = 0; i < n; i++) {
        out[atomic_inc(counter)] = i;
    }
}
