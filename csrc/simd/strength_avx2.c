#define FORM(name) name##_avx2
#include "strength_form.h"
