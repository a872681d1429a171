//unknown
//--local_size=64 --num_groups=2
// Thread 77 comes there in every run.

__kernel void promised(__global int *list)
{
    int i = get_global_id(0);
    if (i == 77) {
        __builtin_unreachable();
    }
    list[i == 77 ? 5 : i] = i;
}
