//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// Within each loop barriers separate the rounds; none separates the last round of the first
// loop from the first round of the second.

__kernel void between_two_loops(__global int *out)
{
    __local int a[64];
    uint lid = get_local_id(0);
    int sum = 0;
    for (int i = 0; i < 10; i++) {
        barrier(CLK_LOCAL_MEM_FENCE);
        a[lid] = i; //~ race
    }
    for (int i = 0; i < 10; i++) {
        sum += a[(lid + 1) % 64]; //~ race
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = sum;
}
