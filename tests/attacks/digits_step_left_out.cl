//xfail:NOT_ALL_VERIFIED
//--local_size=16,16 --num_groups=*,*
// Some rounds go on without a step: the loop has two ways back.

__kernel void digits_step_left_out(__global int *a, int width, int height)
{
    int c = get_global_id(0), r = get_global_id(1), stride = get_global_size(1);
    int k = 0;
    while (r < height && k < 1000) {
        k++;
        if (c < width)
            a[r * width + c] = 3 * get_global_id(1) + k; //~ race
        if (k & 1)
            r += 1;
        else
            r += stride;
    }
}
