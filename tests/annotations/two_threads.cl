//pass
//--local_size=64 --num_groups=4
// Where a thread writes is what a table says; that the table has no entry twice is all that is known of it.
__kernel void two_threads(__global uint *out, __global const uint *table)
{
    uint place = table[get_global_id(0)];
    __assume(__distinct_int(place));
    out[place] = 1 + get_global_id(0);
    __assert(__uniform_int(get_local_size(0)));
    __assert(__implies(__same_group, __uniform_int(get_group_id(0))));
    __assert(__exclusive(get_global_id(0) == 3));
    __assert(__all(get_local_id(0) < 64));
}
