(comment) @comment
(number) @number
(string) @string
(constant) @constant.builtin
(quantifier) @keyword
(primitive_type) @type.builtin
(type_identifier) @type
["int" "scalar" "struct" "typedef" "lattice" "extern"] @type.builtin
(prefix) @keyword.modifier
["process" "state" "commit" "urgent" "branchpoint" "init" "trans" "select" "guard" "sync" "assign" "probability" "system" "query"
 "before_update" "after_update" "progress" "default" "IO"] @keyword
["if" "else" "for" "while" "do" "return"] @keyword.control
["forall" "exists" "sum" "and" "or" "not" "imply" "xor"] @keyword.operator
["sup" "inf" "bounds" "-->"] @keyword
["&&" "||" "!" "==" "!=" "<" "<=" ">" ">=" "+" "-" "*" "/" "%" "=" ":=" "->" "-u->" "?" "++" "--"] @operator
(process name: (identifier) @type)
(location name: (identifier) @constant)
(edge source: (identifier) @constant)
(edge target: (identifier) @constant)
(function name: (identifier) @function)
(call function: (identifier) @function.call)
(instantiation name: (identifier) @module)
(instantiation template: (identifier) @type)
(parameter name: (identifier) @variable.parameter)
(member member: (identifier) @property)
(declarator name: (identifier) @variable)
