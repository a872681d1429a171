//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=8
// The same with OpenCL's sizes, whose sum is cut to a byte.

kernel void stride_of_no_counter(global int *a, global int *b)
{
    uchar sum = 0;
    for (int i = 0; i < 10; i++)
        sum += get_local_size(0);
    b[get_global_id(0)] = sum;
    a[sum] = get_global_id(0); //~ race
}
