// racy
// run: --local-size 64 --num-groups 1
// A mark of another kind.

__kernel void shift(__global int *a)
{
    int i = get_local_id(0);
    a[i] = a[i + 1]; //~ race here
}
// fails: line 8 does not end in `//~ race`
