#define SCOPE
#define FORM bc_spot_avx2
#define SPOT_REGISTER 32 /* bytes */
#include "spot_form.h"
