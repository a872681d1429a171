/* HIP's names of complex numbers. */
#ifndef LOCKSTEP_HIP_COMPLEX
#define LOCKSTEP_HIP_COMPLEX
#pragma clang system_header
#include "cuComplex.h"

#define hipFloatComplex cuFloatComplex
#define hipDoubleComplex cuDoubleComplex
#define hipComplex cuComplex
#define make_hipFloatComplex make_cuFloatComplex
#define make_hipDoubleComplex make_cuDoubleComplex
#define make_hipComplex make_cuComplex
#define hipCreal cuCreal
#define hipCimag cuCimag
#define hipConj cuConj
#define hipCadd cuCadd
#define hipCsub cuCsub
#define hipCmul cuCmul
#define hipCdiv cuCdiv
#define hipCfma cuCfma
#define hipCabs cuCabs
#define hipCrealf cuCrealf
#define hipCimagf cuCimagf
#define hipConjf cuConjf
#define hipCaddf cuCaddf
#define hipCsubf cuCsubf
#define hipCmulf cuCmulf
#define hipCdivf cuCdivf
#define hipCfmaf cuCfmaf
#define hipCabsf cuCabsf
#define hipComplexDoubleToFloat cuComplexDoubleToFloat
#define hipComplexFloatToDouble cuComplexFloatToDouble

#endif
