//pass
//--local_size=128 --num_groups=32 --assume 'n_per_rng >= 0 && n_per_rng <= 65536'
// 4096 Mersenne twisters: nineteen words of state in registers each, the outputs at the stride of the
// number of generators.

#define MT_RNG_COUNT 4096
#define MT_MM 9
#define MT_NN 19
#define MT_WMASK 0xFFFFFFFFU
#define MT_UMASK 0xFFFFFFFEU
#define MT_LMASK 0x1U

typedef struct {
    uint matrix_a, mask_b, mask_c, seed;
} mt_struct;

__kernel void mersenne_twister(__global float *d_rand, __global const mt_struct *d_mt, int n_per_rng)
{
    int global_id = get_global_id(0);
    uint mt[MT_NN];
    uint matrix_a = d_mt[global_id].matrix_a;
    uint mask_b = d_mt[global_id].mask_b;
    uint mask_c = d_mt[global_id].mask_c;

    mt[0] = d_mt[global_id].seed;
    for (int state = 1; state < MT_NN; state++) {
        mt[state] = (1812433253U * (mt[state - 1] ^ (mt[state - 1] >> 30)) + state) & MT_WMASK;
    }

    int state = 0;
    uint mti1 = mt[0];
    for (int out = 0; out < n_per_rng; out++) {
        int state1 = state + 1;
        int state_m = state + MT_MM;
        if (state1 >= MT_NN) {
            state1 -= MT_NN;
        }
        if (state_m >= MT_NN) {
            state_m -= MT_NN;
        }
        uint mti = mti1;
        mti1 = mt[state1];
        uint mti_m = mt[state_m];

        uint x = (mti & MT_UMASK) | (mti1 & MT_LMASK);
        x = mti_m ^ (x >> 1) ^ ((x & 1) ? matrix_a : 0);
        mt[state] = x;
        state = state1;

        x ^= x >> 12;
        x ^= (x << 7) & mask_b;
        x ^= (x << 15) & mask_c;
        x ^= x >> 18;
#ifdef DEFECT
        d_rand[global_id * MT_NN + out] = ((float)x + 1.0f) / 4294967296.0f; //~ race
#else
        d_rand[global_id + out * MT_RNG_COUNT] = ((float)x + 1.0f) / 4294967296.0f;
#endif
    }
}
