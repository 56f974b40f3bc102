/**
 * XTA and the queries of timed automata: the grammar of crates/syntax, for editors.
 * A text is a model, a list of declarations, or a list of queries; words that only some places reserve are plain names elsewhere.
 */
/// <reference types="tree-sitter-cli/dsl" />
// @ts-check

const PRECEDENCE = {
  assign: 1,
  conditional: 2,
  or: 3,
  and: 4,
  bit_or: 5,
  bit_xor: 6,
  bit_and: 7,
  equal: 8,
  compare: 9,
  min: 10,
  shift: 11,
  add: 12,
  multiply: 13,
  power: 14,
  unary: 15,
  postfix: 16,
};

const commas = (rule) => optional(commas1(rule));
const commas1 = (rule) => seq(rule, repeat(seq(",", rule)));

module.exports = grammar({
  name: "merkhet",

  extras: ($) => [/[\s\u00A0\uFEFF]/, /\\[ \t\r]*\n/, $.comment],
  word: ($) => $.identifier,
  conflicts: ($) => [
    [$.prefix, $.location_flags],
    [$._channel, $._expression],
    [$.old_constant_type, $.prefix],
    [$._type, $._expression],
    [$.instantiation, $._expression],
  ],

  rules: {
    source_file: ($) => repeat(choice($._declaration, $.process, $.system, $.query_block, $.query, ";")),

    comment: () => token(choice(seq("//", /[^\n]*/), seq("/*", /[^*]*\*+([^/*][^*]*\*+)*/, "/"))),
    identifier: () => /[A-Za-z_][A-Za-z0-9_$#]*/,
    number: () => token(choice(/0[xX][0-9a-fA-F]+/, /[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?/)),
    string: () => /"[^"\n]*"/,

    // Declarations.

    _declaration: ($) =>
      choice(
        $.variables,
        $.typedef,
        $.function,
        $.instantiation,
        $.channel_priority,
        $.update_block,
        $.progress,
        $.lattice,
        $.extern,
        $.inputs_outputs,
      ),
    variables: ($) => seq(field("type", choice($.type, $.old_constant_type)), commas1($.declarator), ";"),
    typedef: ($) => seq("typedef", $.type, commas1($.declarator), ";"),
    declarator: ($) =>
      seq(
        field("name", $.identifier),
        repeat($.dimension),
        optional(choice(seq(choice("=", ":="), field("value", $._initialiser)), field("value", $.number))),
      ),
    dimension: ($) => seq("[", choice($._expression, $.type), "]"),
    _initialiser: ($) => choice($._expression, $.initialiser_list),
    initialiser_list: ($) =>
      seq("{", commas(seq(optional(seq(field("field", $.identifier), ":")), $._initialiser)), "}"),

    type: ($) => prec.right(seq(repeat($.prefix), $._type)),
    old_constant_type: () => "const",
    prefix: () => choice("const", "meta", "urgent", "broadcast", "hybrid"),
    _type: ($) =>
      choice(
        $.int_type,
        $.scalar_type,
        $.struct_type,
        alias(choice("bool", "clock", "chan", "void", "double", "string"), $.primitive_type),
        alias($.identifier, $.type_identifier),
      ),
    int_type: ($) =>
      prec.right(seq("int", optional(seq("[", optional($._expression), ",", optional($._expression), "]")))),
    scalar_type: ($) => seq("scalar", "[", $._expression, "]"),
    struct_type: ($) => seq("struct", "{", repeat($.field_declaration), "}"),
    field_declaration: ($) => seq($.type, commas1(seq(field("name", $.identifier), repeat($.dimension))), ";"),

    // The old language separates parameters of different types by `;`.
    parameters: ($) => seq("(", optional(seq($.parameter, repeat(seq(choice(",", ";"), $.parameter)))), ")"),
    parameter: ($) =>
      seq(choice($.type, $.old_constant_type), optional("&"), field("name", $.identifier), repeat($.dimension)),

    function: ($) =>
      seq(field("type", $.type), field("name", $.identifier), $.parameters, field("body", $.block)),
    instantiation: ($) =>
      seq(
        field("name", $.identifier),
        optional($.parameters),
        choice("=", ":="),
        field("template", $.identifier),
        $.arguments,
        ";",
      ),
    channel_priority: ($) =>
      seq("chan", "priority", $._priority_item, repeat(seq(choice("<", ","), $._priority_item)), ";"),
    _priority_item: ($) => choice("default", $._channel),
    update_block: ($) =>
      seq(choice("before_update", "after_update"), "{", repeat(seq($._expression, optional(choice(",", ";")))), "}"),
    progress: ($) => seq("progress", "{", repeat(seq($._expression, optional(seq(":", $._expression)), ";")), "}"),
    lattice: ($) =>
      seq(
        "lattice",
        field("name", $.identifier),
        repeat(seq("[", $.identifier, "]")),
        "{",
        repeat(choice($.field_declaration, $.function, ";")),
        "}",
      ),
    extern: ($) => seq("extern", field("name", $.identifier), ";"),

    inputs_outputs: ($) => seq("IO", $.identifier, "{", commas($._channel), "}"),

    // Statements.

    block: ($) => seq("{", repeat(choice($.variables, $.typedef, $._statement)), "}"),
    _statement: ($) =>
      choice(
        ";",
        seq($._comma_expression, ";"),
        $.block,
        $.if_statement,
        $.for_statement,
        $.iteration,
        $.while_statement,
        $.do_statement,
        $.return_statement,
      ),
    if_statement: ($) =>
      prec.right(seq("if", "(", $._comma_expression, ")", $._statement, optional(seq("else", $._statement)))),
    for_statement: ($) =>
      seq(
        "for",
        "(",
        optional($._comma_expression),
        ";",
        optional($._comma_expression),
        ";",
        optional($._comma_expression),
        ")",
        $._statement,
      ),
    iteration: ($) => seq("for", "(", field("variable", $.identifier), ":", $.type, ")", $._statement),
    while_statement: ($) => seq("while", "(", $._comma_expression, ")", $._statement),
    do_statement: ($) => seq("do", $._statement, "while", "(", $._comma_expression, ")", ";"),
    return_statement: ($) => seq("return", optional($._expression), ";"),
    _comma_expression: ($) => commas1($._expression),

    // Processes.

    process: ($) =>
      seq(
        "process",
        field("name", $.identifier),
        optional($.parameters),
        "{",
        repeat(choice($._declaration, $.states, $.location_flags, $.initial, $.transitions, ";")),
        "}",
      ),
    states: ($) => seq("state", commas1($.location), ";"),
    location: ($) =>
      seq(field("name", $.identifier), optional(seq("{", optional($._constraint), optional(seq(";", optional($._rate))), "}"))),
    _constraint: ($) => commas1($._expression),
    _rate: ($) => seq($._expression, optional(seq(":", $._expression))),
    location_flags: ($) => seq(choice("commit", "urgent", "branchpoint"), commas1($.identifier), ";"),
    initial: ($) => seq("init", $.identifier, ";"),
    transitions: ($) => seq("trans", commas($.edge), ";"),
    edge: ($) =>
      seq(
        optional(field("source", $.identifier)),
        choice("->", "-u->"),
        field("target", $.identifier),
        "{",
        repeat(choice($.select, $.guard, $.synchronisation, $.update, $.probability)),
        "}",
      ),
    select: ($) =>
      seq("select", commas(seq(field("variable", $.identifier), ":", $.type)), ";"),
    guard: ($) => seq("guard", optional($._constraint), ";"),
    synchronisation: ($) => seq("sync", optional(seq($._channel, optional(choice("!", "?")))), ";"),
    update: ($) => seq("assign", commas($._expression), ";"),
    probability: ($) => seq("probability", optional($._expression), ";"),
    _channel: ($) => choice($.identifier, $.index, $.member),

    system: ($) => seq("system", $.identifier, repeat(seq(choice(",", "<"), $.identifier)), ";"),

    // Queries.

    query_block: ($) => seq("query", "{", optional(seq($._query, repeat(seq(";", optional($._query))))), "}"),
    query: ($) => $._query,
    _query: ($) => choice($.path_query, $.leads_to, $.measure_query),
    path_query: ($) =>
      prec.right(seq(field("quantifier", alias(token(prec(2, choice("A[]", "E<>", "E[]", "A<>"))), $.quantifier)), $._expression)),
    leads_to: ($) => prec.right(seq($._expression, "-->", $._expression)),
    measure_query: ($) =>
      prec.right(
        seq(choice("sup", "inf", "bounds"), optional(seq("{", $._expression, "}")), ":", commas1($._expression)),
      ),

    // Expressions.

    _expression: ($) =>
      choice(
        $.identifier,
        $.number,
        $.string,
        alias(choice("true", "false", "deadlock"), $.constant),
        $.parenthesised,
        $.unary,
        $.binary,
        $.assignment,
        $.conditional,
        $.call,
        $.index,
        $.member,
        $.rate,
        $.increment,
        $.quantified,
      ),
    parenthesised: ($) => seq("(", $._expression, ")"),
    unary: ($) => prec(PRECEDENCE.unary, seq(choice("!", "not", "-", "+", "~"), $._expression)),
    binary: ($) => {
      const table = [
        [PRECEDENCE.or, choice("||", "or", "imply", "xor")],
        [PRECEDENCE.and, choice("&&", "and")],
        [PRECEDENCE.bit_or, "|"],
        [PRECEDENCE.bit_xor, "^"],
        [PRECEDENCE.bit_and, "&"],
        [PRECEDENCE.equal, choice("==", "!=")],
        [PRECEDENCE.compare, choice("<", "<=", ">=", ">", "=<", "=>")],
        [PRECEDENCE.min, choice("<?", ">?")],
        [PRECEDENCE.shift, choice("<<", ">>")],
        [PRECEDENCE.add, choice("+", "-")],
        [PRECEDENCE.multiply, choice("*", "/", "%")],
        [PRECEDENCE.power, "**"],
      ];
      return choice(
        ...table.map(([level, operator]) =>
          prec.left(level, seq(field("left", $._expression), field("operator", operator), field("right", $._expression))),
        ),
      );
    },
    assignment: ($) =>
      prec.right(
        PRECEDENCE.assign,
        seq(
          field("target", $._expression),
          choice("=", ":=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="),
          field("value", $._expression),
        ),
      ),
    conditional: ($) =>
      prec.right(PRECEDENCE.conditional, seq($._expression, "?", $._expression, ":", $._expression)),
    arguments: ($) => seq("(", commas($._expression), ")"),
    call: ($) => prec(PRECEDENCE.postfix, seq(field("function", $._expression), $.arguments)),
    index: ($) => prec(PRECEDENCE.postfix, seq(field("array", $._expression), "[", $._expression, "]")),
    member: ($) => prec(PRECEDENCE.postfix, seq(field("object", $._expression), ".", field("member", $.identifier))),
    rate: ($) => prec(PRECEDENCE.postfix, seq($._expression, "'")),
    increment: ($) =>
      choice(
        prec(PRECEDENCE.postfix, seq($._expression, choice("++", "--"))),
        prec(PRECEDENCE.unary, seq(choice("++", "--"), $._expression)),
      ),
    quantified: ($) =>
      prec.right(
        PRECEDENCE.assign,
        seq(choice("forall", "exists", "sum"), "(", field("variable", $.identifier), ":", $.type, ")", $._expression),
      ),
  },
});
