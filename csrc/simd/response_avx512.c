#define WIDTH 8
#define FORM(name) name##_avx512
#include "response_form.h"
