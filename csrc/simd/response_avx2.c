#define WIDTH 4
#define FORM(name) name##_avx2
#include "response_form.h"
