//pass
//--local_size=64 --num_groups=1
// No thread is number 77.

__kernel void promised(__global int *list)
{
    int i = get_global_id(0);
    if (i == 77) {
        __builtin_unreachable();
    }
    list[i == 77 ? 5 : i] = i;
}
