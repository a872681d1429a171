//xfail:NO_KERNEL
//--local_size=64 --num_groups=16
// A file without a kernel has nothing to verify, which is no success.

uint twice(uint x)
{
    return 2 * x;
}
