/* The helpers of NVIDIA's samples: strings, timers, images and comparisons, declared only. */
#ifndef LOCKSTEP_HELPER_FUNCTIONS
#define LOCKSTEP_HELPER_FUNCTIONS
#pragma clang system_header
#include <algorithm>
#include <assert.h>
#include <exception>
#include <fstream>
#include <iostream>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string>
#include <string.h>
#include <vector>
#include "helper_string.h"
#include "helper_timer.h"

#ifndef MAX
#define MAX(a, b) (a > b ? a : b)
#endif
#ifndef MIN
#define MIN(a, b) (a < b ? a : b)
#endif

template <class T> bool sdkLoadPGM(const char *file, T **data, __LOCKSTEP_OUT unsigned int *width, __LOCKSTEP_OUT unsigned int *height);
template <class T> bool sdkSavePGM(const char *file, T *data, unsigned int width, unsigned int height);
template <class T> bool sdkLoadPPM4(const char *file, T **data, __LOCKSTEP_OUT unsigned int *width, __LOCKSTEP_OUT unsigned int *height);
bool sdkLoadPPM4ub(const char *file, unsigned char **data, __LOCKSTEP_OUT unsigned int *width, __LOCKSTEP_OUT unsigned int *height);
bool sdkSavePPM4ub(const char *file, unsigned char *data, unsigned int width, unsigned int height);
template <class T>
bool sdkReadFile(const char *file, T **data, __LOCKSTEP_OUT unsigned int *length, bool verbose);
template <class T, class S>
bool sdkWriteFile(const char *file, const T *data, unsigned int length, const S epsilon, bool verbose,
                  bool append = false);
template <class T, class S>
bool compareData(const T *reference, const T *data, const unsigned int length, const S epsilon, const float threshold);
template <class T, class S>
bool compareDataAsFloatThreshold(const T *reference, const T *data, const unsigned int length, const S epsilon,
                                 const float threshold);
bool sdkCompareL2fe(__LOCKSTEP_OUT const float *reference, __LOCKSTEP_OUT const float *data, const unsigned int length, const float epsilon);
template <class T>
bool sdkCompareBin2BinUint(const char *file, const char *reference, unsigned int length, const T epsilon,
                           const float threshold, char *program);
template <class T>
bool sdkCompareBin2BinFloat(const char *file, const char *reference, unsigned int length, const T epsilon,
                            const float threshold, char *program);
bool sdkComparePPM(const char *file, const char *reference, const float epsilon, const float threshold, bool verbose);
bool sdkComparePGM(const char *file, const char *reference, const float epsilon, const float threshold, bool verbose);

#endif
