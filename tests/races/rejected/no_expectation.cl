// race free
// run: --local-size 64 --num-groups 1
// A word that is not known.

__kernel void fill(__global int *a)
{
    a[get_global_id(0)] = 1;
}
// fails: line 1 is neither `// race-free` nor `// racy`
