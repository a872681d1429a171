//xfail:CLANG_ERROR
//--block-dim=64 --grid-dim=1
// A jump to elsewhere, for which Clang has no code.

__global__ void jumps(void **place)
{
    __builtin_longjmp(place, 1);
}
