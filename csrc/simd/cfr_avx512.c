#define FORM bc_cfr_visit_avx512
#include "cfr_form.h"
