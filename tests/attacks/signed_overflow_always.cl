//unknown
//--local_size=64 --num_groups=1
// Every execution overflows: without it there is nothing to prove anything of.

__kernel void signed_overflow_always(__global int *out)
{
    int most = 2147483647;
    int next = most + 1;
    out[next & 1] = get_local_id(0);
}
