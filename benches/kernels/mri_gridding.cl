//pass
//--local_size=[8,4,4] --num_groups=[*,*,*] --assume 'grid_x > 0 && grid_y > 0 && grid_z > 0 && grid_x <= 1024 && grid_y <= 1024 && grid_z <= 1024 && cutoff >= 0 && cutoff <= 16'
// Magnetic resonance imaging, gridding by gathering: every work-item owns a cell and goes over the bins of
// samples around its group's block, a tile of samples in local memory at a time.

#define TILE 64

typedef struct {
    float real, imag;
    float kx, ky, kz;
    float sdc;
} ReconstructionSample;

__kernel void gridding(__global const ReconstructionSample *samples, __global const int *bin_start,
                       __global float2 *grid_data, __global float *sample_density, int grid_x, int grid_y, int grid_z,
                       int cutoff, float beta)
{
    __local float real_s[TILE];
    __local float imag_s[TILE];
    __local float kx_s[TILE];
    __local float ky_s[TILE];
    __local float kz_s[TILE];
    int flat = (get_local_id(2) * 4 + get_local_id(1)) * 8 + get_local_id(0);
    int x = get_global_id(0);
    int y = get_global_id(1);
    int z = get_global_id(2);
    int block_x = get_group_id(0) * 8;
    int block_y = get_group_id(1) * 4;
    int block_z = get_group_id(2) * 4;
    float2 value = (float2)(0.0f, 0.0f);
    float density = 0.0f;

    int z_low = max(block_z - cutoff, 0);
    int z_high = min(block_z + 4 + cutoff, grid_z);
    int y_low = max(block_y - cutoff, 0);
    int y_high = min(block_y + 4 + cutoff, grid_y);
    int x_low = max(block_x - cutoff, 0);
    int x_high = min(block_x + 8 + cutoff, grid_x);

    for (int bz = z_low; bz < z_high; bz++) {
        for (int by = y_low; by < y_high; by++) {
            int row = (bz * grid_y + by) * grid_x;
            int first = bin_start[row + x_low];
            int last = bin_start[row + x_high];
            for (int tile = first; tile < last; tile += TILE) {
                if (flat < TILE && tile + flat < last) {
                    real_s[flat] = samples[tile + flat].real; //~ race re
                    imag_s[flat] = samples[tile + flat].imag; //~ race im
                    kx_s[flat] = samples[tile + flat].kx; //~ race kx
                    ky_s[flat] = samples[tile + flat].ky; //~ race ky
                    kz_s[flat] = samples[tile + flat].kz; //~ race kz
                }
#ifndef DEFECT
                barrier(CLK_LOCAL_MEM_FENCE);
#endif
                int count = min(TILE, last - tile);
                for (int i = 0; i < count; i++) {
                    float dx = kx_s[i] - x; //~ race kx
                    float dy = ky_s[i] - y; //~ race ky
                    float dz = kz_s[i] - z; //~ race kz
                    float r2 = dx * dx + dy * dy + dz * dz;
                    if (r2 < cutoff * cutoff) {
                        float weight = exp(-beta * r2);
                        value.x += real_s[i] * weight; //~ race re
                        value.y += imag_s[i] * weight; //~ race im
                        density += weight;
                    }
                }
                barrier(CLK_LOCAL_MEM_FENCE);
            }
        }
    }
    if (x < grid_x && y < grid_y && z < grid_z) {
        int cell = (z * grid_y + y) * grid_x + x;
        grid_data[cell] = value;
        sample_density[cell] = density;
    }
}
