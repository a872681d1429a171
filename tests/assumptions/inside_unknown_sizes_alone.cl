//pass
//--local_size=1 --num_groups=1
// assumes: accesses stay inside arrays whose sizes are not known, and address computations in them do not wrap
// assumes: the launch has one thread, which races with nobody
// otherwise defect: --local_size=1 --num_groups=1 --kernel-arrays=inside_unknown_sizes_alone,20
// otherwise verified: --local_size=1 --num_groups=2 -D OTHERWISE
// broken: --local-size=1 --num-groups=1 --arg=out=zeros:int*5
// There is nothing to show of a launch of one thread, but what it does is taken for granted all the same.
__kernel void inside_unknown_sizes_alone(__global int *out)
{
#ifdef OTHERWISE
    __local int cells[6];
    cells[5] = 1;
#else
    out[5] = 1;
#endif
}
