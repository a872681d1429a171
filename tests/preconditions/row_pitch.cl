//conditional: pitch >= 0 && pitch >= get_global_size(0)
//--local-size=16,16 --num-groups=*,*
// contract: pitch >= 1 && pitch >= get_global_size(0)
// Rows overlap where the pitch is less than their width.

__kernel void fill(__global float *out, int pitch, float value)
{
    int x = get_global_id(0), y = get_global_id(1);
    out[y * pitch + x] = value * x;
#ifdef DEFECT
    out[y * pitch + x + 1] = value + x;
#endif
}
