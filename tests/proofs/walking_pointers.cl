//pass
//--local_size=72 --num_groups=2
// Pointers instead of an index.

__kernel void walking_pointers(__global float *y, __global const float *x, int rounds)
{
    __global float *to = y + get_global_id(0);
    __global const float *from = x + get_global_id(0);
    while (rounds-- > 0) {
        *to = *from;
        to += 144;
        from += 144;
    }
}
