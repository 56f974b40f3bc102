//! Expressions by precedence climbing.
//!
//! From loose to tight, as in the language's manual: `->` (to the right), `<->`, `? :`,
//! `|` `xor` `xnor`, `&`, the binary temporal operators, comparisons, `in`, `union`, shifts and
//! `..`, `+` `-`, `*` `/` `mod`, unary `-`, `::`, `!` and selections.

use super::parser::{Parser, Read};
use super::token::{Keyword, TokenKind};
use super::tree::*;
use BinaryOperator::*;

/// Levels of precedence that have a name because something other than the loop starts there.
const LEVEL_IMPLIES: u8 = 1;
const LEVEL_CONDITIONAL: u8 = 3;
const LEVEL_OR: u8 = 4;
const LEVEL_AND: u8 = 5;
const LEVEL_TEMPORAL: u8 = 6;
const LEVEL_COMPARISON: u8 = 7;
const LEVEL_SHIFT: u8 = 10;
const LEVEL_SUM: u8 = 11;
const LEVEL_CONCATENATE: u8 = 14;

/// What can stand between two operands.
#[derive(Clone, Copy)]
enum Infix {
    Plain(BinaryOperator),
    Chain(ChainOperator),
    Until(UntilOperator),
    Conditional,
    Range,
}

impl Parser<'_> {
    /// Any expression or formula.
    pub(super) fn expression(&mut self) -> Read<Expression> {
        self.nested(|parser| parser.operation(LEVEL_IMPLIES))
    }

    /// The operator here and its level.
    fn infix(&self) -> Option<(Infix, u8)> {
        use Infix::{Chain, Plain};
        Some(match self.peek().kind {
            TokenKind::Symbol("->") => (Plain(Implies), LEVEL_IMPLIES),
            TokenKind::Symbol("<->") => (Plain(Iff), 2),
            TokenKind::Symbol("?") => (Infix::Conditional, LEVEL_CONDITIONAL),
            TokenKind::Symbol("|") => (Chain(ChainOperator::Or), LEVEL_OR),
            TokenKind::Keyword(Keyword::Xor) => (Plain(Xor), LEVEL_OR),
            TokenKind::Keyword(Keyword::Xnor) => (Plain(Xnor), LEVEL_OR),
            TokenKind::Symbol("&") => (Chain(ChainOperator::And), LEVEL_AND),
            TokenKind::Symbol("=") => (Plain(Equal), LEVEL_COMPARISON),
            TokenKind::Symbol("!=") => (Plain(NotEqual), LEVEL_COMPARISON),
            TokenKind::Symbol("<") => (Plain(Less), LEVEL_COMPARISON),
            TokenKind::Symbol("<=") => (Plain(LessEqual), LEVEL_COMPARISON),
            TokenKind::Symbol(">") => (Plain(Greater), LEVEL_COMPARISON),
            TokenKind::Symbol(">=") => (Plain(GreaterEqual), LEVEL_COMPARISON),
            TokenKind::Keyword(Keyword::In) => (Plain(In), 8),
            TokenKind::Keyword(Keyword::Union) => (Plain(Union), 9),
            TokenKind::Symbol("<<") => (Plain(ShiftLeft), LEVEL_SHIFT),
            TokenKind::Symbol(">>") => (Plain(ShiftRight), LEVEL_SHIFT),
            TokenKind::Symbol("..") => (Infix::Range, LEVEL_SHIFT),
            TokenKind::Symbol("+") => (Plain(Add), LEVEL_SUM),
            TokenKind::Symbol("-") => (Plain(Subtract), LEVEL_SUM),
            TokenKind::Symbol("*") => (Plain(Multiply), 12),
            TokenKind::Symbol("/") => (Plain(Divide), 12),
            TokenKind::Keyword(Keyword::Mod) => (Plain(Modulo), 12),
            TokenKind::Symbol("::") => (Plain(Concatenate), LEVEL_CONCATENATE),
            TokenKind::Keyword(keyword) if !self.path_brackets => {
                let operator = match keyword {
                    Keyword::U => UntilOperator::Until,
                    Keyword::V => UntilOperator::Releases,
                    Keyword::S => UntilOperator::Since,
                    Keyword::T => UntilOperator::Triggered,
                    _ => return None,
                };
                (Infix::Until(operator), LEVEL_TEMPORAL)
            }
            _ => return None,
        })
    }

    /// An expression of operators at `level` or tighter.
    fn operation(&mut self, level: u8) -> Read<Expression> {
        let mut left = self.prefix()?;
        while let Some((infix, its_level)) = self.infix() {
            if its_level < level {
                break;
            }
            self.advance();
            left = self.infix_tail(left, infix, its_level)?;
        }
        Ok(left)
    }

    /// The rest of an operation whose left operand and operator have been read.
    fn infix_tail(&mut self, left: Expression, infix: Infix, level: u8) -> Read<Expression> {
        let start = left.span;
        if let Infix::Chain(operator) = infix {
            return self.chain_tail(left, operator, level);
        }
        if let Infix::Conditional = infix {
            let then = self.expression()?;
            self.expect_symbol(":")?;
            let otherwise = self.nested(|p| p.operation(LEVEL_CONDITIONAL))?;
            let span = start.to(otherwise.span);
            let kind =
                ExpressionKind::Conditional(Box::new(left), Box::new(then), Box::new(otherwise));
            return self.make(kind, span);
        }
        // Implication associates to the right, everything else to the left.
        let right = if level == LEVEL_IMPLIES {
            level
        } else {
            level + 1
        };
        let right = self.nested(|p| p.operation(right))?;
        let span = start.to(right.span);
        let (left, right) = (Box::new(left), Box::new(right));
        let kind = match infix {
            Infix::Plain(operator) => ExpressionKind::Binary(operator, left, right),
            Infix::Until(operator) => ExpressionKind::Until(operator, left, right),
            _ => ExpressionKind::Range(left, right),
        };
        self.make(kind, span)
    }

    /// A run of `&` or of `|` becomes one flat node, also across brackets: both associate.
    fn chain_tail(
        &mut self,
        first: Expression,
        operator: ChainOperator,
        level: u8,
    ) -> Read<Expression> {
        let symbol = if operator == ChainOperator::And {
            "&"
        } else {
            "|"
        };
        let mut span = first.span;
        let mut operands = Vec::new();
        push_operand(&mut operands, operator, first);
        loop {
            let next = self.operation(level + 1)?;
            span = span.to(next.span);
            push_operand(&mut operands, operator, next);
            if !self.eat_symbol(symbol) {
                return self.make(ExpressionKind::Chain(operator, operands), span);
            }
        }
    }

    /// The bound of a range: an expression without `..`.
    pub(super) fn bound(&mut self) -> Read<Expression> {
        self.operation(LEVEL_SUM)
    }

    /// The operand of a temporal operator: comparisons belong to it, `&` does not.
    pub(super) fn temporal_operand(&mut self) -> Read<Expression> {
        self.nested(|parser| parser.operation(LEVEL_COMPARISON))
    }

    /// An operand with the operators before it.
    fn prefix(&mut self) -> Read<Expression> {
        let (operator, level) = if self.at_symbol("!") {
            (UnaryOperator::Not, u8::MAX)
        } else if self.at_symbol("-") {
            (UnaryOperator::Negate, LEVEL_CONCATENATE)
        } else {
            return self.formula_or_postfix();
        };
        let start = self.advance().span;
        let operand = self.nested(|p| p.operation(level))?;
        let span = start.to(operand.span);
        let kind = match (operator, operand.kind) {
            // Folded here so that `-3` is a constant wherever one is required.
            (UnaryOperator::Negate, ExpressionKind::Integer(value)) => {
                ExpressionKind::Integer(value.wrapping_neg())
            }
            (_, kind) => {
                let operand = Expression { kind, ..operand };
                ExpressionKind::Unary(operator, Box::new(operand))
            }
        };
        self.make(kind, span)
    }

    /// A primary expression with its members, indices and bit selections.
    pub(super) fn postfix_expression(&mut self) -> Read<Expression> {
        let mut base = self.primary()?;
        loop {
            if self.eat_symbol(".") {
                let name = self.member_name()?;
                let span = base.span.to(name.span);
                base = self.make(ExpressionKind::Member(Box::new(base), name), span)?;
            } else if self.eat_symbol("[") {
                let first = self.expression()?;
                let low = if self.eat_symbol(":") {
                    Some(self.expression()?)
                } else {
                    None
                };
                let close = self.expect_symbol("]")?;
                let span = base.span.to(close);
                let (array, first) = (Box::new(base), Box::new(first));
                let kind = match low {
                    Some(low) => ExpressionKind::Select(array, first, Box::new(low)),
                    None => ExpressionKind::Index(array, first),
                };
                base = self.make(kind, span)?;
            } else {
                return Ok(base);
            }
        }
    }

    /// A member: a name, or a number as in the enumeration members of old models.
    fn member_name(&mut self) -> Read<Name> {
        let token = self.peek();
        if token.kind == TokenKind::Number {
            self.advance();
            return Ok(Name {
                text: self.text_of(token.span).to_owned(),
                span: token.span,
            });
        }
        self.expect_name()
    }

    fn primary(&mut self) -> Read<Expression> {
        let token = self.peek();
        let kind = match token.kind {
            TokenKind::Identifier => ExpressionKind::Name(self.text_of(token.span).to_owned()),
            TokenKind::Number => match self.text_of(token.span).parse() {
                Ok(value) => ExpressionKind::Integer(value),
                Err(_) => {
                    self.advance();
                    return self.fail(
                        "number-too-large",
                        "the number does not fit 64 bits".into(),
                        token.span,
                    );
                }
            },
            TokenKind::Word => return self.word_constant(),
            TokenKind::Keyword(Keyword::True) => ExpressionKind::Boolean(true),
            TokenKind::Keyword(Keyword::False) => ExpressionKind::Boolean(false),
            TokenKind::Keyword(Keyword::SelfInstance) => ExpressionKind::SelfInstance,
            TokenKind::Symbol("(") => return self.parenthesised(),
            TokenKind::Symbol("{") => {
                self.advance();
                let members = self.nested(|p| p.expressions("}"))?;
                let span = token.span.to(self.last_span());
                return self.make(ExpressionKind::Set(members), span);
            }
            TokenKind::Symbol("[") => {
                self.advance();
                let elements = self.nested(|p| p.expressions("]"))?;
                let span = token.span.to(self.last_span());
                return self.make(ExpressionKind::Array(elements), span);
            }
            TokenKind::Keyword(Keyword::Case) => return self.case(),
            TokenKind::Keyword(Keyword::Next) => return self.next_or_init(ExpressionKind::Next),
            TokenKind::Keyword(Keyword::SmallInit) => {
                return self.next_or_init(ExpressionKind::Init);
            }
            TokenKind::Keyword(keyword) => match function(keyword) {
                Some(function) => return self.call(function),
                None => return self.fail_expected("an expression"),
            },
            _ => return self.fail_expected("an expression"),
        };
        self.advance();
        self.make(kind, token.span)
    }

    fn parenthesised(&mut self) -> Read<Expression> {
        let open = self.advance().span;
        let mut inner = self.in_path_brackets(false)?;
        let close = self.expect_symbol(")")?;
        inner.span = open.to(close);
        Ok(inner)
    }

    fn next_or_init(&mut self, wrap: fn(Box<Expression>) -> ExpressionKind) -> Read<Expression> {
        let start = self.advance().span;
        self.expect_symbol("(")?;
        let inner = self.expression()?;
        let close = self.expect_symbol(")")?;
        self.make(wrap(Box::new(inner)), start.to(close))
    }

    fn call(&mut self, function: Function) -> Read<Expression> {
        let start = self.advance().span;
        self.expect_symbol("(")?;
        let arguments = self.nested(|p| p.expressions(")"))?;
        let span = start.to(self.last_span());
        self.make(ExpressionKind::Call(function, arguments), span)
    }

    fn case(&mut self) -> Read<Expression> {
        let start = self.advance().span;
        let mut branches = Vec::new();
        while !self.at_keyword(Keyword::Esac) {
            let condition = self.expression()?;
            self.expect_symbol(":")?;
            let value = self.expression()?;
            self.expect_symbol(";")?;
            branches.push((condition, value));
        }
        let close = self.expect_keyword(Keyword::Esac)?;
        if branches.is_empty() {
            return self.fail(
                "empty-case",
                "`case` without a branch".into(),
                start.to(close),
            );
        }
        self.make(ExpressionKind::Case(branches), start.to(close))
    }

    fn word_constant(&mut self) -> Read<Expression> {
        let token = self.advance();
        match parse_word(self.text_of(token.span)) {
            Ok(word) => self.make(ExpressionKind::Word(word), token.span),
            Err(message) => self.fail("bad-word", message.to_owned(), token.span),
        }
    }
}

fn push_operand(operands: &mut Vec<Expression>, operator: ChainOperator, operand: Expression) {
    match operand.kind {
        ExpressionKind::Chain(inner, parts) if inner == operator => operands.extend(parts),
        _ => operands.push(operand),
    }
}

fn function(keyword: Keyword) -> Option<Function> {
    Some(match keyword {
        Keyword::Bool => Function::Bool,
        Keyword::Word1 => Function::Word1,
        Keyword::Signed => Function::Signed,
        Keyword::Unsigned => Function::Unsigned,
        Keyword::Extend => Function::Extend,
        Keyword::Resize => Function::Resize,
        Keyword::ToInt => Function::ToInt,
        Keyword::Sizeof => Function::Sizeof,
        Keyword::Uwconst => Function::Uwconst,
        Keyword::Swconst => Function::Swconst,
        Keyword::Count => Function::Count,
        Keyword::Abs => Function::Abs,
        Keyword::Max => Function::Max,
        Keyword::Min => Function::Min,
        _ => return None,
    })
}

/// Takes a word constant apart: `0`, sign, base, width, `_`, digits.
fn parse_word(text: &str) -> Result<WordConstant, &'static str> {
    const MALFORMED: &str = "malformed word constant";
    let rest = text.strip_prefix('0').ok_or(MALFORMED)?;
    let signed = rest.starts_with('s');
    let rest = rest.strip_prefix(['u', 's']).unwrap_or(rest);
    let (radix, bits_per_digit) = match rest.chars().next() {
        Some('b' | 'B') => (2, 1),
        Some('o' | 'O') => (8, 3),
        Some('d' | 'D') => (10, 0),
        Some('h' | 'H') => (16, 4),
        _ => return Err(MALFORMED),
    };
    let (width, digits) = rest[1..].split_once('_').ok_or(MALFORMED)?;
    let digits: String = digits.chars().filter(|&c| c != '_').collect();
    let bits = u64::from_str_radix(&digits, radix).map_err(|_| "digits do not fit 64 bits")?;
    let width = if width.is_empty() {
        if bits_per_digit == 0 {
            return Err("a decimal word constant needs a width");
        }
        digits.len() as u32 * bits_per_digit
    } else {
        width.parse().map_err(|_| MALFORMED)?
    };
    if !(1..=64).contains(&width) {
        return Err("words have 1 to 64 bits");
    }
    if width < 64 && bits >> width != 0 {
        return Err("the digits do not fit the width");
    }
    Ok(WordConstant {
        signed,
        width,
        bits,
    })
}
