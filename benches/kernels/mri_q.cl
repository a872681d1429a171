//pass
//--local_size=256 --num_groups=* --assume 'num_k >= 0'
// Magnetic resonance imaging, the matrix Q: every voxel sums over a chunk of the trajectory, which lies in
// constant memory and is unrolled by two.

struct k_values {
    float kx, ky, kz;
    float phi_mag;
};

#define PIX2 6.2831853071795864769252867665590058f
#define K_ELEMS_PER_GRID 1024

__kernel void compute_q(int num_k, int k_global_index, __global const float *x_g, __global const float *y_g,
                        __global const float *z_g, __global float *qr_g, __global float *qi_g,
                        __constant struct k_values *ck)
{
    int x_index = get_global_id(0);
    float x = x_g[x_index];
    float y = y_g[x_index];
    float z = z_g[x_index];
    float qr = qr_g[x_index]; //~ race
    float qi = qi_g[x_index];

    int k_index = 0;
    if (num_k % 2) {
        float arg = PIX2 * (ck[0].kx * x + ck[0].ky * y + ck[0].kz * z);
        qr += ck[0].phi_mag * cos(arg);
        qi += ck[0].phi_mag * sin(arg);
        k_index++;
        k_global_index++;
    }
    for (; k_index < K_ELEMS_PER_GRID && k_global_index < num_k; k_index += 2, k_global_index += 2) {
        float arg = PIX2 * (ck[k_index].kx * x + ck[k_index].ky * y + ck[k_index].kz * z);
        qr += ck[k_index].phi_mag * cos(arg);
        qi += ck[k_index].phi_mag * sin(arg);
        float arg2 = PIX2 * (ck[k_index + 1].kx * x + ck[k_index + 1].ky * y + ck[k_index + 1].kz * z);
        qr += ck[k_index + 1].phi_mag * cos(arg2);
        qi += ck[k_index + 1].phi_mag * sin(arg2);
    }
#ifdef DEFECT
    qr_g[x_index + 1] = qr; //~ race
#else
    qr_g[x_index] = qr;
#endif
    qi_g[x_index] = qi;
}
