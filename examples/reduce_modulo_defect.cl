//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// As reduce_modulo.cl, without the barrier at the end of a round: the next round reads sums
// that are perhaps not there yet.

#define SIZE 64

__kernel void reduce_modulo(__global const int *in, __global int *out)
{
    __local int data[SIZE];
    uint lid = get_local_id(0);
    data[lid] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);

    for (uint s = 1; s < SIZE; s *= 2) {
        if (lid % (2 * s) == 0) {
            data[lid] += data[lid + s]; //~ race
        }
    }

    if (lid == 0) {
        out[get_group_id(0)] = data[0];
    }
}
