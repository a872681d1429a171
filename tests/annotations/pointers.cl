//pass
//--local_size=64 --num_groups=4
// Which of two arrays a pointer leads into depends on the group; where in it, on the thread.
__kernel void pointers(__global int *even, __global int *odd)
{
    __global int *place = (get_group_id(0) % 2 == 0 ? even : odd) + get_global_id(0);
    __assert(__implies(__same_group, __ptr_base(place) == __other_ptr_base(__ptr_base(place))));
    __assert(__ptr_offset_bytes(place) == get_global_id(0) * sizeof(int));
    *place = 1;
}
