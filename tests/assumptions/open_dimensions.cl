//pass
//--local_size=* --num_groups=* --no-benign-tolerance
// assumes: the launch has one dimension: neither the kernel nor the sizes given name another
// otherwise defect: --local_size=[*,*] --num_groups=[*,*] --no-benign-tolerance
// otherwise verified: --local_size=64 --num_groups=4 --no-benign-tolerance
__kernel void open_dimensions(__global int *out)
{
    out[get_global_id(0)] = 1;
}
