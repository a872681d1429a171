// race-free
// --local-size 64 --num-groups 1
// Flags without `run:`.

__kernel void fill(__global int *a)
{
    a[get_global_id(0)] = 1;
}
// fails: line 2 is not `// run: `
