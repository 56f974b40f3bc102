//! The tokens of SMV text.

use merkhet_syntax::Span;

/// What a token is; names and numbers carry their text through the span.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// A name; SMV lets it contain `-`, `#` and `$`.
    Identifier,
    /// A decimal integer.
    Number,
    /// A word constant such as `0ud8_255`.
    Word,
    /// A reserved word.
    Keyword(Keyword),
    /// An operator or a bracket, by its text.
    Symbol(&'static str),
    /// The end of the text.
    End,
}

/// A token and where it stands.
#[derive(Clone, Copy, Debug)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// Where it stands.
    pub span: Span,
}

macro_rules! keywords {
    ($($name:ident = $text:literal),* $(,)?) => {
        /// The reserved words of the language.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[allow(missing_docs)] // each variant is the word itself
        pub enum Keyword { $($name),* }

        /// Every reserved word.
        pub const KEYWORDS: &[&str] = &[$($text),*];

        impl Keyword {
            /// The reserved word with this text.
            pub fn from_text(text: &str) -> Option<Keyword> {
                match text { $($text => Some(Keyword::$name),)* _ => None }
            }

            /// The text of the reserved word.
            pub fn text(self) -> &'static str {
                match self { $(Keyword::$name => $text),* }
            }
        }
    };
}

keywords! {
    Module = "MODULE", Define = "DEFINE", Constants = "CONSTANTS", Var = "VAR", Ivar = "IVAR",
    FrozenVar = "FROZENVAR", Init = "INIT", Trans = "TRANS", Invar = "INVAR", Spec = "SPEC",
    CtlSpec = "CTLSPEC", LtlSpec = "LTLSPEC", PslSpec = "PSLSPEC", Compute = "COMPUTE",
    Name = "NAME", Pred = "PRED", Mirror = "MIRROR", InvarSpec = "INVARSPEC", Fairness = "FAIRNESS", Justice = "JUSTICE",
    Compassion = "COMPASSION", Isa = "ISA", Assign = "ASSIGN", InContext = "IN",
    Process = "process", Array = "array", Of = "of", Boolean = "boolean", Integer = "integer",
    Real = "real", WordType = "word", Word1 = "word1", Bool = "bool", Signed = "signed",
    Unsigned = "unsigned", Extend = "extend", Resize = "resize", ToInt = "toint", Sizeof = "sizeof",
    Uwconst = "uwconst", Swconst = "swconst", Count = "count", Abs = "abs",
    Max = "max", Min = "min", MaxPath = "MAX", MinPath = "MIN",
    Ex = "EX", Ax = "AX", Ef = "EF", Af = "AF", Eg = "EG", Ag = "AG", E = "E", A = "A",
    F = "F", G = "G", X = "X", U = "U", V = "V", S = "S", T = "T", O = "O", H = "H", Y = "Y",
    Z = "Z", Bu = "BU", Ebf = "EBF", Abf = "ABF", Ebg = "EBG", Abg = "ABG",
    Case = "case", Esac = "esac", Mod = "mod", Next = "next", SmallInit = "init",
    Union = "union", In = "in", Xor = "xor", Xnor = "xnor", SelfInstance = "self",
    True = "TRUE", False = "FALSE",
}

impl Keyword {
    /// Whether the word opens a section of a module: where reading resumes after an error.
    pub fn opens_section(self) -> bool {
        use Keyword::*;
        matches!(
            self,
            Module
                | Define
                | Constants
                | Var
                | Ivar
                | FrozenVar
                | Init
                | Trans
                | Invar
                | Spec
                | CtlSpec
                | LtlSpec
                | PslSpec
                | Compute
                | InvarSpec
                | Fairness
                | Justice
                | Compassion
                | Pred
                | Mirror
                | Isa
                | Assign
        )
    }
}
