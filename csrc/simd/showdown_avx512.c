#define FORM bc_showdowns_run_avx512
#include "showdown_form.h"
