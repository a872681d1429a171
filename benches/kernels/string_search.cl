//pass
//--local_size=256 --num_groups=* --assume 'pattern_length > 0 && pattern_length <= 256 && text_length > 0 && max_search_length > 0 && max_search_length <= 32768 && get_num_groups(0) <= 65536'
// Search for a pattern, which lies in local memory, in the group's part of a text; the places found get
// numbers from a local counter and are written to the group's part of the results.

int compare(__global const uchar *text, __local const uchar *pattern, uint length)
{
    for (uint l = 0; l < length; l++) {
        if (text[l] != pattern[l]) {
            return 0;
        }
    }
    return 1;
}

__kernel void string_search(__global const uchar *text, const uint text_length, __global const uchar *pattern,
                            const uint pattern_length, __global int *result_buffer, __global int *result_count,
                            const uint max_search_length, __local uchar *local_pattern)
{
    __local volatile uint success_counter;
    int local_idx = get_local_id(0);
    int local_size = get_local_size(0);
    uint group_idx = get_group_id(0);
    uint last_search_idx = text_length - pattern_length + 1;
    uint beg_search_idx = group_idx * max_search_length;
    uint end_search_idx = min(beg_search_idx + max_search_length, last_search_idx);

    for (uint idx = local_idx; idx < pattern_length; idx += local_size) {
        local_pattern[idx] = pattern[idx];
    }
    if (local_idx == 0) {
        success_counter = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    for (uint string_pos = beg_search_idx + local_idx; string_pos < end_search_idx; string_pos += local_size) {
        if (compare(text + string_pos, local_pattern, pattern_length) == 1) {
#ifdef DEFECT
            uint count = success_counter++; //~ race count
#else
            uint count = atomic_inc(&success_counter);
#endif
            result_buffer[beg_search_idx + count] = string_pos; //~ race result
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (local_idx == 0) {
        result_count[group_idx] = success_counter;
    }
}
