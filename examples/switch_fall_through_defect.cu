//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// As switch_fall_through.cu, but records are laid out as if they had three cells: the last cell of
// one is the first of the next.

constexpr int CELLS = 3;

__global__ void fill_records(const int *kinds, int *records)
{
    int gid = blockIdx.x * blockDim.x + threadIdx.x;
    int *record = records + CELLS * gid;
    switch (kinds[gid]) {
    case 4:
        record[3] = gid; //~ race
        [[fallthrough]];
    case 3:
        record[2] = gid;
        [[fallthrough]];
    case 2:
        record[1] = gid;
        [[fallthrough]];
    case 1:
        record[0] = gid; //~ race
        break;
    default:
        break;
    }
}
