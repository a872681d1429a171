// racy
// run: --local-size 64 --num-groups 1
// No line is marked.

__kernel void shift(__global int *a)
{
    int i = get_local_id(0);
    a[i] = a[i + 1];
}
// fails: a racy kernel marks lines
