//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// As scan_hillis_steele.cl, but written back to the buffer that is read in the same round:
// a work-item's new sum races with its right neighbour's read of the old one.

#define SIZE 64

__kernel void scan_hillis_steele(__global const int *in, __global int *out)
{
    __local int buffer[2][SIZE];
    int lid = get_local_id(0);
    int from = 0;
    buffer[from][lid] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);

    for (int distance = 1; distance < SIZE; distance *= 2) {
        int sum = buffer[from][lid];
        if (lid >= distance) {
            sum += buffer[from][lid - distance]; //~ race
        }
        buffer[from][lid] = sum; //~ race
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = buffer[from][lid];
}
