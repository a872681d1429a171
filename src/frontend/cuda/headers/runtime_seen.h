/* By these sources see whether the runtime's headers have been included. */
#ifndef __DRIVER_TYPES_H__
#define __DRIVER_TYPES_H__ 1
#define __CUDA_RUNTIME_H__ 1
#define __CUDA_RUNTIME_API_H__ 1
#define __VECTOR_TYPES_H__ 1
#define __VECTOR_FUNCTIONS_H__ 1
#endif
