/* */
#ifndef LOCKSTEP_DEVICE_FUNCTIONS
#define LOCKSTEP_DEVICE_FUNCTIONS
#pragma clang system_header
#endif
