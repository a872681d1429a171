// racy
// run: --local-size 64 --num-groups 1
// A line is marked whose accesses do not race.

__kernel void shift(__global int *a, __global int *b)
{
    int i = get_local_id(0);
    a[i] = a[i + 1]; //~ race
    b[i] = i; //~ race
}
// fails: races on lines {8} were found, marked are {8, 9}
