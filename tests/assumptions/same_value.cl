//pass
//--local_size=64 --num_groups=4
// assumes: two writes of the same value to the same cell are no race
// otherwise defect: --local_size=64 --num_groups=4 --no-benign-tolerance
// otherwise verified: --local_size=64 --num_groups=4 --no-benign-tolerance -D OTHERWISE
__kernel void same_value(__global int *out)
{
#ifdef OTHERWISE
    out[get_global_id(0)] = 1;
#else
    out[0] = 1;
#endif
}
