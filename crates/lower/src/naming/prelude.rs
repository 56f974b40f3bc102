//! Names that every model knows.

use crate::data::types::Type;
use crate::naming::scope::Symbol;
use crate::run::tables::Tables;

/// Named numbers.
const CONSTANTS: [(&str, i32); 9] = [
    ("INT8_MIN", i8::MIN as i32),
    ("INT8_MAX", i8::MAX as i32),
    ("UINT8_MAX", u8::MAX as i32),
    ("INT16_MIN", i16::MIN as i32),
    ("INT16_MAX", i16::MAX as i32),
    ("UINT16_MAX", u16::MAX as i32),
    ("INT32_MIN", i32::MIN),
    ("INT32_MAX", i32::MAX),
    ("UINT32_MAX", i32::MAX),
];

/// Named ranges.
const TYPES: [(&str, i32, i32); 5] = [
    ("int8_t", i8::MIN as i32, i8::MAX as i32),
    ("uint8_t", 0, u8::MAX as i32),
    ("int16_t", i16::MIN as i32, i16::MAX as i32),
    ("uint16_t", 0, u16::MAX as i32),
    ("int32_t", i32::MIN, i32::MAX),
];

/// Functions and numbers over `double`.
const FLOATING: &[&str] = &[
    "fabs",
    "fmod",
    "fma",
    "fmax",
    "fmin",
    "fdim",
    "exp",
    "exp2",
    "expm1",
    "ln",
    "log",
    "log10",
    "log2",
    "log1p",
    "pow",
    "sqrt",
    "cbrt",
    "hypot",
    "sin",
    "cos",
    "tan",
    "asin",
    "acos",
    "atan",
    "atan2",
    "sinh",
    "cosh",
    "tanh",
    "asinh",
    "acosh",
    "atanh",
    "erf",
    "erfc",
    "tgamma",
    "lgamma",
    "ceil",
    "floor",
    "trunc",
    "round",
    "fint",
    "ldexp",
    "ilogb",
    "logb",
    "nextafter",
    "copysign",
    "isfinite",
    "isinf",
    "isnan",
    "isnormal",
    "signbit",
    "isunordered",
    "M_PI",
    "M_PI_2",
    "M_PI_4",
    "M_E",
    "M_LOG2E",
    "M_LOG10E",
    "M_LN2",
    "M_LN10",
    "M_1_PI",
    "M_2_PI",
    "M_2_SQRTPI",
    "M_SQRT2",
    "M_SQRT1_2",
    "FLT_MIN",
    "FLT_MAX",
    "DBL_MIN",
    "DBL_MAX",
];

/// Functions that give random numbers.
const RANDOM: &[&str] = &[
    "random",
    "random_arcsine",
    "random_beta",
    "random_gamma",
    "random_normal",
    "random_poisson",
    "random_weibull",
    "random_tri",
];

/// Declares them all; a model's own names take precedence.
pub fn declare(tables: &mut Tables) {
    for (name, value) in CONSTANTS {
        tables.predefine(name, Symbol::Constant(value, crate::data::types::WIDE));
    }
    for (name, low, high) in TYPES {
        tables.predefine(name, Symbol::Type(Type::Int { low, high }));
    }
    for name in FLOATING {
        tables.predefine(name, Symbol::Unsupported("floating-point arithmetic"));
    }
    for name in RANDOM {
        tables.predefine(name, Symbol::Unsupported("a random number"));
    }
}
