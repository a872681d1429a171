// racy
// run: --local-size 64 --num-groups 1
// The line of the reads is not marked.

__kernel void shift(__global int *a, __global int *b)
{
    int i = get_local_id(0);
    a[i] = i; //~ race
    b[i] = a[63 - i];
}
// fails: races on lines {8, 9}, not marked
