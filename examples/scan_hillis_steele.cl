//pass
//--local_size=64 --num_groups=16
// The Hillis-Steele scan with two buffers: each round reads one and writes the other, so one
// barrier a round is enough.

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
            sum += buffer[from][lid - distance];
        }
        buffer[1 - from][lid] = sum;
        from = 1 - from;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = buffer[from][lid];
}
