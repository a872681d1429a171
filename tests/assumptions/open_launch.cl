//pass
//--local_size=64 --num_groups=* --max-launch-threads=65537
// assumes: sizes left open are those a device could run: at most 1024 threads in a group (--max-group-size), fewer than 65537 in the launch (--max-launch-threads)
// otherwise defect: --local_size=64 --num_groups=*
// otherwise verified: --local_size=64 --num_groups=1024
__kernel void open_launch(__global int *out)
{
    out[(ushort)get_global_id(0)] = get_global_id(0);
}
