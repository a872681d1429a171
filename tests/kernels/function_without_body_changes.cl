//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// A function without a body may change the private variables it is given.

void change(int *x);

__kernel void function_without_body_changes(__global int *a)
{
    int index = get_global_id(0);
    change(&index);
    a[index] = get_global_id(0); //~? race
}
