//pass
//--local_size=64 --num_groups=4
// assumes: accesses stay inside arrays whose sizes are not known, and address computations in them do not wrap
// otherwise verified: --local_size=64 --num_groups=4 --kernel-arrays=inside_unknown_sizes,1024
// otherwise defect: --local_size=64 --num_groups=4 --kernel-arrays=inside_unknown_sizes,1020
// broken: --local-size=64 --num-groups=4 --arg=out=zeros:int*255
__kernel void inside_unknown_sizes(__global int *out)
{
    out[get_global_id(0)] = 1;
}
