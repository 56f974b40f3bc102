//! Values of finite systems and the domains they come from.

use std::fmt;

/// An interned symbol such as `idle`; [`System::symbols`](super::System::symbols) holds its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SymbolId(pub u32);

/// One value of a variable or expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Value {
    /// `FALSE` or `TRUE`.
    Boolean(bool),
    /// An integer.
    Integer(i64),
    /// A symbol of an enumeration.
    Symbol(SymbolId),
    /// A word of 1 to 64 bits; bits above the width are zero.
    Word(Word),
}

/// A word of 1 to 64 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Word {
    /// Whether it is read in two's complement.
    pub signed: bool,
    /// The number of bits.
    pub width: u8,
    /// The bits; those above the width are zero.
    pub bits: u64,
}

impl Word {
    /// The word with the low bits of `bits`.
    pub fn new(signed: bool, width: u8, bits: u64) -> Word {
        Word {
            signed,
            width,
            bits: bits & mask(width),
        }
    }

    /// The integer that the word stands for.
    pub fn to_integer(self) -> i128 {
        let sign_bit = 1u64 << (self.width - 1);
        if self.signed && self.bits & sign_bit != 0 {
            i128::from(self.bits) - (1i128 << self.width)
        } else {
            i128::from(self.bits)
        }
    }
}

/// A word with the low `width` bits set.
pub fn mask(width: u8) -> u64 {
    if width >= 64 {
        u64::MAX
    } else {
        (1 << width) - 1
    }
}

impl fmt::Display for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (letter, value) = (if self.signed { 's' } else { 'u' }, self.to_integer());
        let minus = if value < 0 { "-" } else { "" };
        write!(f, "{minus}0{letter}d{}_{}", self.width, value.abs())
    }
}

/// The finite set of values of a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Domain {
    /// `FALSE` and `TRUE`.
    Boolean,
    /// Listed integers and symbols, without repetition, at least one.
    Values(Vec<Value>),
    /// All words of a width.
    Word {
        /// Whether words are read in two's complement.
        signed: bool,
        /// The number of bits.
        width: u8,
    },
}

impl Domain {
    /// The number of values; `None` above `u64::MAX`.
    pub fn size(&self) -> Option<u64> {
        match self {
            Domain::Boolean => Some(2),
            Domain::Values(values) => Some(values.len() as u64),
            Domain::Word { width, .. } => 1u64.checked_shl(u32::from(*width)),
        }
    }

    /// The number of bits that number the values.
    pub fn bits(&self) -> u32 {
        match self {
            Domain::Boolean => 1,
            Domain::Values(values) => usize::BITS - (values.len().max(1) - 1).leading_zeros(),
            Domain::Word { width, .. } => u32::from(*width),
        }
    }

    /// The number of a value, if it belongs to the domain.
    pub fn code(&self, value: Value) -> Option<u64> {
        match (self, value) {
            (Domain::Boolean, Value::Boolean(value)) => Some(u64::from(value)),
            (Domain::Values(values), _) => {
                let position = values.iter().position(|&member| member == value);
                position.map(|position| position as u64)
            }
            (Domain::Word { signed, width }, Value::Word(word))
                if *signed == word.signed && *width == word.width =>
            {
                Some(word.bits)
            }
            _ => None,
        }
    }

    /// The value with a number.
    pub fn value(&self, code: u64) -> Option<Value> {
        match self {
            Domain::Boolean if code < 2 => Some(Value::Boolean(code == 1)),
            Domain::Boolean => None,
            Domain::Values(values) => values.get(usize::try_from(code).ok()?).copied(),
            Domain::Word { signed, width } => {
                (code <= mask(*width)).then(|| Value::Word(Word::new(*signed, *width, code)))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Word;

    #[test]
    fn words_are_written_as_they_are_read() {
        let shown = |signed, bits| Word::new(signed, 3, bits).to_string();
        assert_eq!(shown(false, 7), "0ud3_7");
        assert_eq!(shown(true, 3), "0sd3_3");
        assert_eq!(shown(true, 7), "-0sd3_1");
        assert_eq!(shown(true, 4), "-0sd3_4");
    }
}
