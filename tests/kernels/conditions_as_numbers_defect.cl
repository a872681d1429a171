//xfail:NOT_ALL_VERIFIED
//--local_size=[16,16] --num_groups=[4,4]
// As conditions_as_numbers.cl, but one of the two is not enough.

__kernel void conditions_as_numbers_defect(__global int *out, int width, int height)
{
    int x = get_global_id(0);
    int y = get_global_id(1);
    if (((x < width) | (y < height)) != 0) {
        out[y * width + x] = y; //~ race
    }
    __assert(((x < width) ^ (y < height)) == 0); //~ assertion
}
