//pass
//--local_size=128 --num_groups=[*,*] --assume 'bin_dim_x > 0 && bin_dim_y > 0 && bin_dim_z > 0 && bin_dim_x <= 256 && bin_dim_y <= 256 && bin_dim_z <= 256 && num_neighbours >= 0 && num_neighbours <= 4096 && z_region >= 0 && z_region < 256'
// Coulomb potential with a cut-off: each group computes 512 points of the lattice, four to a work-item, from
// the atoms of neighbouring bins, of which 32 at a time are fetched into local memory.

#define BIN_DEPTH 8
#define CACHED_BINS 32

__kernel void cutcp_lattice(const int bin_dim_x, const int bin_dim_y, const int bin_dim_z,
                            __global const float4 *bin_base, const float h, const float cutoff2,
                            const float inv_cutoff2, __global float *region_base, const int z_region,
                            const int num_neighbours, __constant int4 *neighbour_list)
{
    __local float atom_bin_cache[CACHED_BINS * BIN_DEPTH * 4];
    const int tid = get_local_id(0);
    const int region = (z_region * get_num_groups(1) + get_group_id(1)) * get_num_groups(0) + get_group_id(0);
    __global float *my_region = region_base + region * 512;
    const int px = tid & 7;
    const int py = (tid >> 3) & 7;
    const int pz = tid >> 6;
    float x = (8 * get_group_id(0) + px) * h;
    float y = (8 * get_group_id(1) + py) * h;
    float z = (8 * z_region + 4 * pz) * h;
    const int my_bin_x = (int)floor((8 * get_group_id(0) + 4) * h * 0.25f);
    const int my_bin_y = (int)floor((8 * get_group_id(1) + 4) * h * 0.25f);
    const int my_bin_z = (int)floor((8 * z_region + 4) * h * 0.25f);
    float energy0 = 0.0f;
    float energy1 = 0.0f;
    float energy2 = 0.0f;
    float energy3 = 0.0f;

    int total = 0;
    while (total < num_neighbours) {
        int in_this_pass = min(CACHED_BINS, num_neighbours - total);
        for (int bin = tid >> 5; bin < in_this_pass; bin += 4) {
            int4 offset = neighbour_list[total + bin];
            int bx = my_bin_x + offset.x;
            int by = my_bin_y + offset.y;
            int bz = my_bin_z + offset.z;
            int word = tid & 31;
            __global const float *source = (__global const float *)bin_base;
            float value = 0.0f;
            if (bx >= 0 && bx < bin_dim_x && by >= 0 && by < bin_dim_y && bz >= 0 && bz < bin_dim_z) {
                value = source[((bz * bin_dim_y + by) * bin_dim_x + bx) * (BIN_DEPTH * 4) + word];
            }
            atom_bin_cache[bin * (BIN_DEPTH * 4) + word] = value; //~ race q x y z
        }
#ifndef DEFECT
        barrier(CLK_LOCAL_MEM_FENCE);
#endif

        for (int bin = 0; bin < in_this_pass; bin++) {
            for (int i = 0; i < BIN_DEPTH; i++) {
                int first = bin * (BIN_DEPTH * 4) + i * 4;
                float aq = atom_bin_cache[first + 3]; //~ race q
                if (aq == 0.0f) {
                    break;
                }
                float dx = atom_bin_cache[first] - x; //~ race x
                float dy = atom_bin_cache[first + 1] - y; //~ race y
                float dz = atom_bin_cache[first + 2] - z; //~ race z
                float dxdy2 = dx * dx + dy * dy;
                float r2 = dxdy2 + dz * dz;
                if (r2 < cutoff2) {
                    float s = 1.0f - r2 * inv_cutoff2;
                    energy0 += aq * rsqrt(r2) * s * s;
                }
                dz -= h;
                r2 = dxdy2 + dz * dz;
                if (r2 < cutoff2) {
                    float s = 1.0f - r2 * inv_cutoff2;
                    energy1 += aq * rsqrt(r2) * s * s;
                }
                dz -= h;
                r2 = dxdy2 + dz * dz;
                if (r2 < cutoff2) {
                    float s = 1.0f - r2 * inv_cutoff2;
                    energy2 += aq * rsqrt(r2) * s * s;
                }
                dz -= h;
                r2 = dxdy2 + dz * dz;
                if (r2 < cutoff2) {
                    float s = 1.0f - r2 * inv_cutoff2;
                    energy3 += aq * rsqrt(r2) * s * s;
                }
            }
        }
        total += in_this_pass;
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    my_region[(4 * pz + 0) * 64 + py * 8 + px] = energy0;
    my_region[(4 * pz + 1) * 64 + py * 8 + px] = energy1;
    my_region[(4 * pz + 2) * 64 + py * 8 + px] = energy2;
    my_region[(4 * pz + 3) * 64 + py * 8 + px] = energy3;
}
