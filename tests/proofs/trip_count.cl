//pass
//--local_size=64 --num_groups=2
// A first loop counts the digits of n, a second goes through them.

__kernel void trip_count(__global int *out, uint n)
{
    int digits = 0;
    while (n > 0) {
        n /= 10;
        digits++;
    }
    for (int i = 0; i < digits; i++) {
        out[i * 128 + get_global_id(0)] = i;
    }
}
