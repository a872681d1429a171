//pass
//--local_size=64 --num_groups=16
// A char directly behind another work-item's int, in the padding's place.

struct pair {
    int number;
    char letter;
};

__kernel void char_next_to_int(__global struct pair *pairs)
{
    uint gid = get_global_id(0);
    pairs[gid].number = gid;
    pairs[gid ^ 1].letter = 'a' + gid % 2;
}
