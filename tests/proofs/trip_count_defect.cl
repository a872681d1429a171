//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=2
// As trip_count.cl, but rows overlap.

__kernel void trip_count_defect(__global int *out, uint n)
{
    int digits = 0;
    while (n > 0) {
        n /= 10;
        digits++;
    }
    for (int i = 0; i < digits; i++) {
        out[i * 64 + get_global_id(0)] = i; //~ race
    }
}
