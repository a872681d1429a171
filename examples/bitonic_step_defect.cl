//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// As bitonic_step.cl, but the partner is found by adding instead of flipping bits: the partner
// of a work-item's partner is then a third one, and both write the element in the middle.

__kernel void bitonic_step(__global int *a, uint distance, uint block)
{
    uint i = get_global_id(0);
    uint partner = i + distance;
    if (partner > i) {
        int mine = a[i]; //~ race mine
        int other = a[partner]; //~ race other
        bool ascending = (i & block) == 0;
        if ((mine > other) == ascending) {
            a[i] = other; //~ race other both
            a[partner] = mine; //~ race mine both
        }
    }
}
