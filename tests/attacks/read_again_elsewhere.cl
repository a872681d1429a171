//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1 --no-check=uninitialised
// The two reads are written alike, but the place was loaded again after the thread itself had changed it.

__kernel void read_again_elsewhere(__global int *out)
{
    __local int place[64];
    __local int a[65];
    int id = get_local_id(0);
    place[id] = id;
    int first = a[place[id]];
    place[id] = id + 1;
    int second = a[place[id]]; //~ race
    a[id] = id + 1; //~ race
    out[id] = first + second;
}
