//! The tokens of the language.

/// A token: its sort and its bytes in the text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    pub(crate) start: u32,
    pub(crate) end: u32,
}

macro_rules! token_kinds {
    ($(#[$doc:meta])* $($kind:ident $spelling:literal)*) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub(crate) enum TokenKind {
            $($kind,)*
        }

        impl TokenKind {
            /// The token as it is written, or what it is.
            pub(crate) fn spelling(self) -> &'static str {
                match self {
                    $(TokenKind::$kind => $spelling,)*
                }
            }
        }
    };
}

token_kinds! {
    /// The sorts of tokens. Words that only some contexts reserve are plain names.
    End "the end of the text"
    Name "a name"
    Int "a number"
    Double "a number"
    String "a string"
    BadNumber "a malformed number"
    BadCharacter "a character"
    UnclosedComment "a comment that is never closed"
    UnclosedString "a string that is never closed"
    // Words that are reserved everywhere.
    And "and"
    Bool "bool"
    Broadcast "broadcast"
    Chan "chan"
    Clock "clock"
    Const "const"
    Do "do"
    Else "else"
    Exists "exists"
    False "false"
    For "for"
    Forall "forall"
    If "if"
    Imply "imply"
    IntType "int"
    Meta "meta"
    Not "not"
    Or "or"
    Return "return"
    Scalar "scalar"
    Struct "struct"
    System "system"
    True "true"
    Typedef "typedef"
    Urgent "urgent"
    Void "void"
    While "while"
    // Punctuation.
    LeftParen "("
    RightParen ")"
    LeftBracket "["
    RightBracket "]"
    LeftBrace "{"
    RightBrace "}"
    Semicolon ";"
    Comma ","
    Colon ":"
    Dot "."
    Apostrophe "'"
    Question "?"
    Exclamation "!"
    Tilde "~"
    Hash "#"
    Arrow "->"
    UncontrollableArrow "-u->"
    LeadsTo "-->"
    Assign "="
    PlusAssign "+="
    MinusAssign "-="
    StarAssign "*="
    SlashAssign "/="
    PercentAssign "%="
    AmpersandAssign "&="
    BarAssign "|="
    CaretAssign "^="
    ShiftLeftAssign "<<="
    ShiftRightAssign ">>="
    PlusPlus "++"
    MinusMinus "--"
    Plus "+"
    Minus "-"
    Star "*"
    Power "**"
    Slash "/"
    Percent "%"
    Ampersand "&"
    AmpersandAmpersand "&&"
    Bar "|"
    BarBar "||"
    Caret "^"
    EqualEqual "=="
    ExclamationEqual "!="
    Less "<"
    LessEqual "<="
    Greater ">"
    GreaterEqual ">="
    Min "<?"
    Max ">?"
    ShiftLeft "<<"
    ShiftRight ">>"
}

impl TokenKind {
    /// The reserved word with these letters.
    pub(crate) fn reserved(word: &str) -> Option<TokenKind> {
        Some(match word {
            "and" => TokenKind::And,
            "bool" => TokenKind::Bool,
            "broadcast" => TokenKind::Broadcast,
            "chan" => TokenKind::Chan,
            "clock" => TokenKind::Clock,
            "const" => TokenKind::Const,
            "do" => TokenKind::Do,
            "else" => TokenKind::Else,
            "exists" => TokenKind::Exists,
            "false" => TokenKind::False,
            "for" => TokenKind::For,
            "forall" => TokenKind::Forall,
            "if" => TokenKind::If,
            "imply" => TokenKind::Imply,
            "int" => TokenKind::IntType,
            "meta" => TokenKind::Meta,
            "not" => TokenKind::Not,
            "or" => TokenKind::Or,
            "return" => TokenKind::Return,
            "scalar" => TokenKind::Scalar,
            "struct" => TokenKind::Struct,
            "system" => TokenKind::System,
            "true" => TokenKind::True,
            "typedef" => TokenKind::Typedef,
            "urgent" => TokenKind::Urgent,
            "void" => TokenKind::Void,
            "while" => TokenKind::While,
            _ => return None,
        })
    }

    /// Whether it is a reserved word.
    pub(crate) fn is_reserved(self) -> bool {
        TokenKind::reserved(self.spelling()) == Some(self)
    }

    /// Whether a declaration or a local variable can start with it (besides a name).
    pub(crate) fn starts_type(self) -> bool {
        use TokenKind::*;
        matches!(
            self,
            Bool | Broadcast
                | Chan
                | Clock
                | Const
                | IntType
                | Meta
                | Scalar
                | Struct
                | Typedef
                | Urgent
                | Void
        )
    }
}
