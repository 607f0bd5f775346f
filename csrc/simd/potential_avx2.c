#define FORM(name) name##_avx2
#include "potential_form.h"
