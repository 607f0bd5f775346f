#define FORM bc_cfr_visit_avx2
#include "cfr_form.h"
