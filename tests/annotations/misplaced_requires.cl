//xfail:INPUT
//--local_size=64 --num_groups=4
// In a branch a precondition would say nothing of the launch, and make the branch dead.
__kernel void misplaced_requires(__global int *out, int n)
{
    if (n > 0) {
        __requires(n <= 0);
        out[0] = get_global_id(0);
    }
}
