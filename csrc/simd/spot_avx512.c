#define SCOPE
#define FORM bc_spot_avx512
#define SPOT_REGISTER 64 /* bytes */
#include "spot_form.h"
