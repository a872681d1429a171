/* */
#ifndef LOCKSTEP_MATHEMATICS
#define LOCKSTEP_MATHEMATICS
#pragma clang system_header
#endif
