// racy
// run: --block-dim 32 --grid-dim 1 --warp-sync 32
// Lanes that are to leave read before they do, on one path of a branch within the loop; on the other one lanes write.

__global__ void lock_step_way_out(int *cells, int *out)
{
    unsigned t = threadIdx.x;
    for (bool stays = true; stays;) {
        if (cells[t] > 2) {
            out[t] = cells[31 - t]; //~ race
            stays = false;
        } else {
            cells[t] += t + 1; //~ race
        }
    }
}
