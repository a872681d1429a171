//pass
//--local_size=64 --num_groups=16
// A tree reduction with sequential addressing: in each round the first half of what is left
// adds the second half to itself. The elements written and those only read never meet.

#define SIZE 64

__kernel void reduce_sequential(__global const int *in, __global int *out)
{
    __local int data[SIZE];
    int lid = get_local_id(0);
    data[lid] = in[get_global_id(0)];

    for (int s = SIZE / 2; s > 0; s /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lid < s) {
            data[lid] += data[lid + s];
        }
    }

    if (lid == 0) {
        out[get_group_id(0)] = data[0];
    }
}
