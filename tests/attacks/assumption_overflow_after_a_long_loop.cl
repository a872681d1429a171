//unknown
//--local_size=64 --num_groups=2
// From the hundredth work-item on the sum overflows, after so much else that a short run does not come to it.

__kernel void overflow_after_a_long_loop(__global int *out, uint step)
{
    int gid = get_global_id(0);
    uint sum = 0;
    for (uint i = 0; i < 500; i++) {
        sum += i * step;
    }
    int end = 0x7fffff9c + gid;
    out[end < 0 ? 0 : gid] = gid + sum;
}
