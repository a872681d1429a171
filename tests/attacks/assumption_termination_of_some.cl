//unknown
//--local_size=64 --num_groups=1
// Thread 40 never ends, in no run: the proof takes it for one that does.

__kernel void one_stays(__global int *list)
{
    int i = get_local_id(0);
    int n = i == 40;
    while (n != 0) {
        n = n & 1;
    }
    list[i] = i;
}
