//pass
//--local_size=64 --num_groups=16
// A switch whose cases fall through: a record has four cells, and its kind says how many of them,
// counted from the first, are filled.

constexpr int CELLS = 4;

__global__ void fill_records(const int *kinds, int *records)
{
    int gid = blockIdx.x * blockDim.x + threadIdx.x;
    int *record = records + CELLS * gid;
    switch (kinds[gid]) {
    case 4:
        record[3] = gid;
        [[fallthrough]];
    case 3:
        record[2] = gid;
        [[fallthrough]];
    case 2:
        record[1] = gid;
        [[fallthrough]];
    case 1:
        record[0] = gid;
        break;
    default:
        break;
    }
}
