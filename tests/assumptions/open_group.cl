//pass
//--local_size=* --num_groups=4
// assumes: sizes left open are those a device could run: at most 1024 threads in a group (--max-group-size), fewer than 2147483648 in the launch (--max-launch-threads)
// otherwise defect: --local_size=* --num_groups=4 --max-group-size=1025
// otherwise verified: --local_size=64 --num_groups=4
__kernel void open_group()
{
    __local int cells[1024];
    cells[get_local_id(0)] = 1;
}
