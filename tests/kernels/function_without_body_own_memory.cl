//pass
//--local_size=64 --num_groups=16
// A function without a body may change the private variables it is given, and no others.

void change(int *x);

__kernel void function_without_body_own_memory(__global int *a, int k)
{
    int given = 0;
    int kept[4] = {0, 1, 2, 3};
    change(&given);
    a[4 * get_global_id(0) + kept[k & 3]] = given;
}
