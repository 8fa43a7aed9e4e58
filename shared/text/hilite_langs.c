/* hilite_langs.c -- every language as a table. Words are in the order of strcmp (a test looks). */
#include "shared/text/hilite_lang.h"

#include "shared/base/ban.h"

#define PLAIN_QUOTES                                                                               \
	{ "\"", "\"", VY_HL_ESCAPES },                                                             \
	{                                                                                          \
		"'", "'", VY_HL_ESCAPES                                                            \
	}
#define SLASH_COMMENTS .comments = { "//" }, .block = { "/*", "*/", false }
#define SCRIPT_CONSTANTS                                                                           \
	VY_HL_WORDS("Infinity", "NaN", "false", "null", "this", "true", "undefined")

static const struct vy_hilite_lang c = {
	.name = "C",
	.aliases = " c h ",
	.keywords = VY_HL_WORDS("_Alignas", "_Alignof", "_Atomic", "_Generic", "_Noreturn",
		"_Static_assert", "_Thread_local", "asm", "auto", "break", "case", "const",
		"continue", "default", "do", "else", "enum", "extern", "for", "goto", "if",
		"inline", "register", "restrict", "return", "sizeof", "static", "struct", "switch",
		"typedef", "typeof", "union", "volatile", "while"),
	.types = VY_HL_WORDS("FILE", "_Bool", "_Complex", "bool", "char", "double", "float", "int",
		"long", "short", "signed", "unsigned", "va_list", "void"),
	.constants = VY_HL_WORDS("EOF", "NULL", "false", "true"),
	SLASH_COMMENTS,
	.quotes = { PLAIN_QUOTES },
	.prefixes = " l u u8 ",
	.flags = VY_HL_CALLS | VY_HL_CAPS | VY_HL_SUFFIX_T | VY_HL_HASH_LINES,
};

static const struct vy_hilite_lang cpp = {
	.name = "C++",
	.aliases = " cpp c++ cc cxx hpp hh hxx ipp ino cuda cu ",
	.keywords = VY_HL_WORDS("alignas", "alignof", "and", "asm", "auto", "break", "case",
		"catch", "class", "co_await", "co_return", "co_yield", "concept", "const",
		"const_cast", "consteval", "constexpr", "constinit", "continue", "decltype",
		"default", "delete", "do", "dynamic_cast", "else", "enum", "explicit", "export",
		"extern", "final", "for", "friend", "goto", "if", "import", "inline", "module",
		"mutable", "namespace", "new", "noexcept", "not", "operator", "or", "override",
		"private", "protected", "public", "register", "reinterpret_cast", "requires",
		"return", "sizeof", "static", "static_assert", "static_cast", "struct", "switch",
		"template", "thread_local", "throw", "try", "typedef", "typeid", "typename",
		"union", "using", "virtual", "volatile", "while"),
	.types = VY_HL_WORDS("bool", "char", "char16_t", "char32_t", "char8_t", "double", "float",
		"int", "long", "map", "pair", "set", "short", "signed", "string", "string_view",
		"unique_ptr", "unsigned", "vector", "void", "wchar_t"),
	.constants = VY_HL_WORDS("NULL", "false", "nullptr", "this", "true"),
	SLASH_COMMENTS,
	.quotes = { PLAIN_QUOTES },
	.prefixes = " l u u8 ",
	.flags = VY_HL_CALLS | VY_HL_CAMEL | VY_HL_CAPS | VY_HL_SUFFIX_T | VY_HL_HASH_LINES |
		 VY_HL_CPP_RAW,
};

static const struct vy_hilite_lang python = {
	.name = "Python",
	.aliases = " python py py3 python3 pyi pyw ",
	.keywords = VY_HL_WORDS("and", "as", "assert", "async", "await", "break", "case", "class",
		"continue", "def", "del", "elif", "else", "except", "finally", "for", "from",
		"global", "if", "import", "in", "is", "lambda", "match", "nonlocal", "not", "or",
		"pass", "raise", "return", "try", "while", "with", "yield"),
	.types = VY_HL_WORDS("bool", "bytes", "complex", "dict", "float", "frozenset", "int",
		"list", "object", "set", "str", "tuple", "type"),
	.constants =
		VY_HL_WORDS("Ellipsis", "False", "None", "NotImplemented", "True", "cls", "self"),
	.comments = { "#" },
	.quotes = { { "\"\"\"", "\"\"\"", VY_HL_ESCAPES | VY_HL_LINES },
		{ "'''", "'''", VY_HL_ESCAPES | VY_HL_LINES }, PLAIN_QUOTES },
	.prefixes = " b br f fr r rb rf u ",
	.flags = VY_HL_CALLS | VY_HL_CAMEL | VY_HL_CAPS | VY_HL_AT_WORDS,
};

const struct vy_hilite_lang vy_hl_javascript = {
	.name = "JavaScript",
	.aliases = " javascript js jsx mjs cjs node ",
	.keywords = VY_HL_WORDS("as", "async", "await", "break", "case", "catch", "class", "const",
		"continue", "debugger", "default", "delete", "do", "else", "export", "extends",
		"finally", "for", "from", "function", "get", "if", "import", "in", "instanceof",
		"let", "new", "of", "return", "set", "static", "super", "switch", "throw", "try",
		"typeof", "var", "void", "while", "with", "yield"),
	.constants = SCRIPT_CONSTANTS,
	SLASH_COMMENTS,
	.quotes = { PLAIN_QUOTES, { "`", "`", VY_HL_ESCAPES | VY_HL_LINES | VY_HL_TEMPLATE } },
	.flags = VY_HL_CALLS | VY_HL_CAMEL | VY_HL_CAPS | VY_HL_AT_WORDS | VY_HL_REGEX,
};

static const struct vy_hilite_lang typescript = {
	.name = "TypeScript",
	.aliases = " typescript ts tsx mts cts deno ",
	.keywords = VY_HL_WORDS("abstract", "as", "asserts", "async", "await", "break", "case",
		"catch", "class", "const", "continue", "debugger", "declare", "default", "delete",
		"do", "else", "enum", "export", "extends", "finally", "for", "from", "function",
		"get", "if", "implements", "import", "in", "infer", "instanceof", "interface", "is",
		"keyof", "let", "module", "namespace", "new", "of", "override", "private",
		"protected", "public", "readonly", "return", "satisfies", "set", "static", "super",
		"switch", "throw", "try", "type", "typeof", "var", "while", "yield"),
	.types = VY_HL_WORDS("any", "bigint", "boolean", "never", "number", "object", "string",
		"symbol", "unknown", "void"),
	.constants = SCRIPT_CONSTANTS,
	SLASH_COMMENTS,
	.quotes = { PLAIN_QUOTES, { "`", "`", VY_HL_ESCAPES | VY_HL_LINES | VY_HL_TEMPLATE } },
	.flags = VY_HL_CALLS | VY_HL_CAMEL | VY_HL_CAPS | VY_HL_AT_WORDS | VY_HL_REGEX,
};

static const struct vy_hilite_lang json = {
	.name = "JSON",
	.aliases = " json jsonc json5 jsonl ndjson geojson webmanifest ",
	.constants = VY_HL_WORDS("false", "null", "true"),
	SLASH_COMMENTS,
	.quotes = { PLAIN_QUOTES },
	.flags = VY_HL_KEYS,
};

static const struct vy_hilite_lang shell = {
	.name = "Shell",
	.aliases = " sh bash shell zsh ksh dash ash console shellsession env ",
	.files = " .bashrc .bash_profile .profile .zshrc pkgbuild ",
	.keywords = VY_HL_WORDS("!", "[[", "]]", "case", "coproc", "do", "done", "elif", "else",
		"esac", "fi", "for", "function", "if", "in", "select", "then", "time", "until",
		"while"),
	.comments = { "#" },
	.quotes = { { "$'", "'", VY_HL_ESCAPES | VY_HL_LINES },
		{ "\"", "\"", VY_HL_ESCAPES | VY_HL_LINES | VY_HL_DOLLARS },
		{ "'", "'", VY_HL_LINES } },
	.flags = VY_HL_DOLLAR | VY_HL_HEREDOC | VY_HL_SHELL,
};

static const struct vy_hilite_lang go = {
	.name = "Go",
	.aliases = " go golang ",
	.keywords = VY_HL_WORDS("break", "case", "chan", "const", "continue", "default", "defer",
		"else", "fallthrough", "for", "func", "go", "goto", "if", "import", "interface",
		"map", "package", "range", "return", "select", "struct", "switch", "type", "var"),
	.types = VY_HL_WORDS("any", "bool", "byte", "comparable", "complex128", "complex64",
		"error", "float32", "float64", "int", "int16", "int32", "int64", "int8", "rune",
		"string", "uint", "uint16", "uint32", "uint64", "uint8", "uintptr"),
	.constants = VY_HL_WORDS("false", "iota", "nil", "true"),
	SLASH_COMMENTS,
	.quotes = { PLAIN_QUOTES, { "`", "`", VY_HL_LINES } },
	.flags = VY_HL_CALLS | VY_HL_CAMEL,
};

static const struct vy_hilite_lang rust = {
	.name = "Rust",
	.aliases = " rust rs ",
	.keywords = VY_HL_WORDS("as", "async", "await", "break", "const", "continue", "crate",
		"dyn", "else", "enum", "extern", "fn", "for", "if", "impl", "in", "let", "loop",
		"match", "mod", "move", "mut", "pub", "ref", "return", "static", "struct", "super",
		"trait", "type", "union", "unsafe", "use", "where", "while"),
	.types = VY_HL_WORDS("Self", "bool", "char", "f32", "f64", "i128", "i16", "i32", "i64",
		"i8", "isize", "str", "u128", "u16", "u32", "u64", "u8", "usize"),
	.constants = VY_HL_WORDS("false", "self", "true"),
	.comments = { "//" },
	.block = { "/*", "*/", true },
	.quotes = { { "\"", "\"", VY_HL_ESCAPES | VY_HL_LINES }, { "'", "'", VY_HL_ESCAPES } },
	.prefixes = " b c ",
	.flags = VY_HL_CALLS | VY_HL_CAMEL | VY_HL_CAPS | VY_HL_RUST,
};

static const struct vy_hilite_lang java = {
	.name = "Java",
	.aliases = " java kotlin kt kts scala csharp cs c# swift dart groovy gradle ",
	.keywords = VY_HL_WORDS("abstract", "as", "assert", "async", "await", "break", "by", "case",
		"catch", "class", "companion", "const", "continue", "data", "def", "default",
		"defer", "do", "else", "enum", "extends", "extension", "final", "finally", "for",
		"foreach", "fun", "func", "get", "guard", "if", "implements", "import", "in",
		"init", "inline", "instanceof", "interface", "internal", "is", "lateinit", "let",
		"namespace", "native", "new", "object", "open", "operator", "out", "override",
		"package", "private", "protected", "protocol", "public", "readonly", "record",
		"ref", "return", "sealed", "set", "static", "struct", "super", "suspend", "switch",
		"synchronized", "throw", "throws", "trait", "transient", "try", "typealias",
		"using", "val", "var", "virtual", "volatile", "when", "where", "while", "with",
		"yield"),
	.types = VY_HL_WORDS("bool", "boolean", "byte", "char", "decimal", "double", "dynamic",
		"float", "int", "long", "short", "string", "uint", "void"),
	.constants = VY_HL_WORDS("false", "nil", "null", "self", "this", "true"),
	SLASH_COMMENTS,
	.quotes = { { "\"\"\"", "\"\"\"", VY_HL_ESCAPES | VY_HL_LINES }, PLAIN_QUOTES },
	.flags = VY_HL_CALLS | VY_HL_CAMEL | VY_HL_CAPS | VY_HL_AT_WORDS,
};

static const struct vy_hilite_lang ruby = {
	.name = "Ruby",
	.aliases = " ruby rb rake gemspec elixir ex exs crystal cr ",
	.files = " gemfile rakefile vagrantfile brewfile ",
	.keywords = VY_HL_WORDS("alias", "and", "begin", "break", "case", "class", "def",
		"defmodule", "defp", "do", "else", "elsif", "end", "ensure", "fn", "for", "if",
		"in", "loop", "module", "next", "not", "or", "raise", "redo", "require",
		"require_relative", "rescue", "retry", "return", "super", "then", "undef", "unless",
		"until", "use", "when", "while", "yield"),
	.constants = VY_HL_WORDS("false", "nil", "self", "true"),
	.comments = { "#" },
	.quotes = { { "\"", "\"", VY_HL_ESCAPES | VY_HL_LINES }, { "'", "'", VY_HL_ESCAPES },
		{ "`", "`", VY_HL_ESCAPES } },
	.flags = VY_HL_CALLS | VY_HL_CAMEL | VY_HL_CAPS | VY_HL_AT_WORDS | VY_HL_DOLLAR,
};

static const struct vy_hilite_lang php = {
	.name = "PHP",
	.aliases = " php phtml ",
	.keywords = VY_HL_WORDS("abstract", "as", "break", "case", "catch", "class", "clone",
		"const", "continue", "declare", "default", "do", "echo", "else", "elseif", "enum",
		"extends", "final", "finally", "fn", "for", "foreach", "function", "global", "if",
		"implements", "include", "instanceof", "interface", "match", "namespace", "new",
		"print", "private", "protected", "public", "readonly", "require", "require_once",
		"return", "static", "switch", "throw", "trait", "try", "use", "var", "while",
		"yield"),
	.types = VY_HL_WORDS("array", "bool", "callable", "float", "int", "iterable", "mixed",
		"object", "string", "void"),
	.constants = VY_HL_WORDS("false", "null", "parent", "self", "true"),
	.comments = { "//", "#" },
	.block = { "/*", "*/", false },
	.quotes = { { "\"", "\"", VY_HL_ESCAPES | VY_HL_LINES | VY_HL_DOLLARS },
		{ "'", "'", VY_HL_ESCAPES | VY_HL_LINES } },
	.flags = VY_HL_NOCASE | VY_HL_CALLS | VY_HL_CAMEL | VY_HL_CAPS | VY_HL_DOLLAR,
};

static const struct vy_hilite_lang lua = {
	.name = "Lua",
	.aliases = " lua luau ",
	.keywords = VY_HL_WORDS("and", "break", "do", "else", "elseif", "end", "for", "function",
		"goto", "if", "in", "local", "not", "or", "repeat", "return", "then", "until",
		"while"),
	.constants = VY_HL_WORDS("false", "nil", "self", "true"),
	.comments = { "--" },
	.quotes = { { "[[", "]]", VY_HL_LINES }, PLAIN_QUOTES },
	.flags = VY_HL_CALLS | VY_HL_CAPS,
};

static const struct vy_hilite_lang sql = {
	.name = "SQL",
	.aliases = " sql sqlite psql postgres postgresql mysql plsql ",
	.keywords = VY_HL_WORDS("add", "all", "alter", "analyze", "and", "as", "asc", "begin",
		"between", "by", "cascade", "case", "check", "collate", "column", "commit",
		"conflict", "constraint", "create", "cross", "database", "default", "delete",
		"desc", "distinct", "do", "drop", "else", "end", "except", "exists", "explain",
		"foreign", "from", "full", "grant", "group", "having", "if", "ilike", "in", "index",
		"inner", "insert", "intersect", "into", "is", "join", "key", "left", "like",
		"limit", "natural", "not", "nothing", "offset", "on", "or", "order", "outer",
		"over", "partition", "pragma", "primary", "recursive", "references", "release",
		"replace", "returning", "revoke", "right", "rollback", "rowid", "savepoint",
		"select", "set", "table", "temp", "temporary", "then", "to", "transaction",
		"trigger", "truncate", "union", "unique", "update", "using", "vacuum", "values",
		"view", "virtual", "when", "where", "window", "with", "without"),
	.types = VY_HL_WORDS("bigint", "blob", "boolean", "bytea", "char", "date", "datetime",
		"decimal", "double", "float", "int", "integer", "interval", "json", "jsonb",
		"numeric", "real", "serial", "smallint", "text", "time", "timestamp", "timestamptz",
		"uuid", "varchar"),
	.constants = VY_HL_WORDS(
		"current_date", "current_time", "current_timestamp", "false", "null", "true"),
	.comments = { "--" },
	.block = { "/*", "*/", false },
	.quotes = { { "'", "'", VY_HL_LINES }, { "\"", "\"", VY_HL_LINES }, { "`", "`", 0 } },
	.flags = VY_HL_NOCASE | VY_HL_CALLS,
};

static const struct vy_hilite_lang docker = {
	.name = "Dockerfile",
	.aliases = " dockerfile docker containerfile ",
	.files = " dockerfile containerfile ",
	.keywords = VY_HL_WORDS("add", "arg", "as", "cmd", "copy", "entrypoint", "env", "expose",
		"from", "healthcheck", "label", "maintainer", "onbuild", "run", "shell",
		"stopsignal", "user", "volume", "workdir"),
	.comments = { "#" },
	.quotes = { { "\"", "\"", VY_HL_ESCAPES | VY_HL_DOLLARS }, { "'", "'", 0 } },
	.flags = VY_HL_NOCASE | VY_HL_DOLLAR,
};

/* Those with a scanner of their own. */

static const struct vy_hilite_lang html = {
	.name = "HTML",
	.aliases = " html htm xhtml vue svelte ",
	.scan = vy_hl_html,
	.quotes = { { "\"", "\"", VY_HL_LINES }, { "'", "'", VY_HL_LINES } },
};

static const struct vy_hilite_lang xml = {
	.name = "XML",
	.aliases = " xml svg xsl xsd rss plist ",
	.scan = vy_hl_html,
	.quotes = { { "\"", "\"", VY_HL_LINES }, { "'", "'", VY_HL_LINES } },
};

const struct vy_hilite_lang vy_hl_stylesheet = {
	.name = "CSS",
	.aliases = " css scss sass less ",
	.scan = vy_hl_css,
	.block = { "/*", "*/", false },
	.quotes = { PLAIN_QUOTES },
};

static const struct vy_hilite_lang yaml = {
	.name = "YAML",
	.aliases = " yaml yml ",
	.scan = vy_hl_yaml,
	.constants = VY_HL_WORDS("false", "no", "null", "off", "on", "true", "yes", "~"),
	.quotes = { { "\"", "\"", VY_HL_ESCAPES | VY_HL_LINES }, { "'", "'", VY_HL_LINES } },
};

static const struct vy_hilite_lang toml = {
	.name = "TOML",
	.aliases = " toml ini cfg conf properties editorconfig gitconfig desktop service ",
	.files = " .gitconfig .editorconfig cargo.lock poetry.lock ",
	.scan = vy_hl_toml,
	.constants = VY_HL_WORDS("false", "inf", "nan", "no", "off", "on", "true", "yes"),
	.quotes = { { "\"\"\"", "\"\"\"", VY_HL_ESCAPES | VY_HL_LINES },
		{ "'''", "'''", VY_HL_LINES }, { "\"", "\"", VY_HL_ESCAPES }, { "'", "'", 0 } },
};

static const struct vy_hilite_lang diff = {
	.name = "Diff",
	.aliases = " diff patch udiff ",
	.scan = vy_hl_diff,
};

static const struct vy_hilite_lang markdown = {
	.name = "Markdown",
	.aliases = " markdown md mdx mkd ",
	.files = " readme ",
	.scan = vy_hl_markdown,
};

static const struct vy_hilite_lang make = {
	.name = "Makefile",
	.aliases = " makefile make mk mak am ",
	.files = " makefile gnumakefile bsdmakefile ",
	.scan = vy_hl_make,
	.keywords =
		VY_HL_WORDS("define", "else", "endef", "endif", "export", "ifdef", "ifeq", "ifndef",
			"ifneq", "include", "override", "private", "undefine", "unexport", "vpath"),
	.quotes = { { "\"", "\"", VY_HL_ESCAPES }, { "'", "'", 0 } },
};

const struct vy_hilite_lang *const vy_hl_langs[] = { &c, &cpp, &python, &vy_hl_javascript,
	&typescript, &json, &shell, &go, &rust, &java, &ruby, &php, &lua, &sql, &docker, &html,
	&xml, &vy_hl_stylesheet, &yaml, &toml, &diff, &markdown, &make, NULL };
