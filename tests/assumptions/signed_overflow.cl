//pass
//--local_size=64 --num_groups=4
// assumes: signed arithmetic does not overflow (line 15)
// otherwise defect: --local_size=64 --num_groups=4 --check=overflow
// otherwise unknown: --local_size=64 --num_groups=4 -D OTHERWISE
// broken: --local-size=64 --num-groups=4 --arg=n=0x40000000
#ifdef OTHERWISE
typedef uint number;
#else
typedef int number;
#endif
__kernel void signed_overflow(__global int *out, number n)
{
    number i = get_global_id(0);
    if (n > 0) out[n * i] = i;
}
