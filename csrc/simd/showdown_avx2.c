#define FORM bc_showdowns_run_avx2
#include "showdown_form.h"
