/* The exponential against that of the library, in long double if that is wider. */
#include "baycarp/exp_nonpositive.h"

#include <assert.h>
#include <float.h>
#include <math.h>

static void check(double x) {
    const long double true_value = expl(x);
    const double found = bc_exp_nonpositive(x),
                 unit = nextafter((double)true_value, INFINITY) - (double)true_value;
    assert(fabsl(found - true_value) <= (LDBL_MANT_DIG > DBL_MANT_DIG ? unit : 2 * unit));
    assert(bc_exp_nonpositive(nextafter(x, -INFINITY)) <= found);
}

int main(void) {
    double apart = 0;
    assert(bc_exp_nonpositive(0.0) == 1 && bc_exp_nonpositive(-0.0) == 1);
    assert(bc_exp_nonpositive(-708.5) == 0 && bc_exp_nonpositive(-1e300) == 0 &&
           bc_exp_nonpositive(-INFINITY) == 0);
    for (int i = 0; i < 2000000; i++) {
        apart = fmod(apart + 0.6180339887498949, 1); /* evenly distributed */
        check(-708 * apart);
        check(-4 * apart);
        check(-1e-9 * apart);
    }
    for (int n = 0; n <= 1021; n++) { /* near the changes of the power of two */
        check(-n * 0.6931471805599453);
        check(-(n + 0.5) * 0.6931471805599453 > -708 ? -(n + 0.5) * 0.6931471805599453 : -1);
    }
    return 0;
}
