//unknown
//--local_size=64 --num_groups=1
// Sixty-two threads write further than any array reaches, in every run, and the two others do not race.

__kernel void far(__global char *list)
{
    ulong i = get_global_id(0);
    list[i << (i >= 2 ? 58 : 4)] = 1;
}
