//pass
//--local_size=* --num_groups=* --assume 'num_records >= 0'
// Distances of all records from a place on the map.

typedef struct {
    float lat;
    float lng;
} LatLong;

__kernel void nearest_neighbor(__global const LatLong *d_locations, __global float *d_distances, const int num_records,
                               const float lat, const float lng)
{
    int id = get_global_id(0);
    if (id < num_records) {
        float dx = lat - d_locations[id].lat;
        float dy = lng - d_locations[id].lng;
        d_distances[id] = sqrt(dx * dx + dy * dy); //~ race first
#ifdef DEFECT
        if (id > 0 && d_distances[id - 1] > d_distances[id]) { //~ race first other
            d_distances[id] = -d_distances[id]; //~ race other
        }
#endif
    }
}
