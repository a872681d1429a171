//xfail:NOT_ALL_VERIFIED
//--local_size=72 --num_groups=2
// As walking_pointers.cl, but the step is one too small.

__kernel void walking_pointers_defect(__global float *y, __global const float *x, int rounds)
{
    __global float *to = y + get_global_id(0);
    __global const float *from = x + get_global_id(0);
    while (rounds-- > 0) {
        *to = *from; //~ race
        to += 143;
        from += 144;
    }
}
