#define FORM(name) name##_avx512
#include "potential_form.h"
