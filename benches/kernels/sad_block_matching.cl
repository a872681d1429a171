//pass
//--local_size=64 --num_groups=[*,*] --assume 'mb_width == get_num_groups(0) && mb_height == get_num_groups(1) && mb_width <= 128 && mb_height <= 128'
// Motion estimation: a group for each macroblock, whose pixels lie in local memory; for every place of the
// search window the absolute differences of the sixteen blocks of 4 by 4 pixels.

#define SEARCH_DIM 33
#define SEARCH_POSITIONS 1089
#define BLOCKS 16

__kernel void sad_4x4(__global ushort *blk_sad, __global const ushort *frame, __global const ushort *reference,
                      int mb_width, int mb_height)
{
    __local ushort current[256];
    int width = mb_width * 16;
    int height = mb_height * 16;
    int mb_x = get_group_id(0);
    int mb_y = get_group_id(1);

    for (int i = get_local_id(0); i < 256; i += get_local_size(0)) {
        current[i] = frame[(mb_y * 16 + (i >> 4)) * width + mb_x * 16 + (i & 15)];
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    int macroblock = mb_y * mb_width + mb_x;
    for (int pos = get_local_id(0); pos < SEARCH_POSITIONS; pos += get_local_size(0)) {
        int dx = pos % SEARCH_DIM - SEARCH_DIM / 2;
        int dy = pos / SEARCH_DIM - SEARCH_DIM / 2;
        for (int block = 0; block < BLOCKS; block++) {
            int block_x = (block & 3) * 4;
            int block_y = (block >> 2) * 4;
            int sad4x4 = 0;
            for (int y = 0; y < 4; y++) {
                for (int x = 0; x < 4; x++) {
                    int ref_x = clamp(mb_x * 16 + block_x + x + dx, 0, width - 1);
                    int ref_y = clamp(mb_y * 16 + block_y + y + dy, 0, height - 1);
                    sad4x4 += abs_diff((int)current[(block_y + y) * 16 + block_x + x],
                                       (int)reference[ref_y * width + ref_x]);
                }
            }
#ifdef DEFECT
            blk_sad[(macroblock * BLOCKS + block) * (SEARCH_POSITIONS - 1) + pos] = sad4x4; //~ race
#else
            blk_sad[(macroblock * BLOCKS + block) * SEARCH_POSITIONS + pos] = sad4x4;
#endif
        }
    }
}
