namespace FastTests.Scripting;

/// <summary>Writes expressions over the variables of <see cref="ScriptGenerator"/>.</summary>
internal sealed class ExpressionGenerator(int seed)
{
    private static readonly string[] Operators =
    [
        "+", "-", "*", "/", "%", "**", "&", "|", "^", "<<", ">>", ">>>", "<", ">", "<=", ">=", "==", "!=", "===", "!==",
        "&&", "||", ",",
    ];

    private static readonly string[] Literals =
    [
        "0", "1", "-1", "2.5", "1e21", "NaN", "-0", "''", "'abc'", "'12'", "' 7 '", "true", "false", "null",
            "undefined",
        "[]", "[1, 2, 3]", "['b', , 'a']", "{}", "{ x: 5, y: [1], 1: 'n' }", "x => x", "0x1f", "1e-7",
            "'\\u00e9\\n'", "/a(b)?/g",
        "123456789", "0.1", "'x,y,z'", "Infinity", "new Date(86400000)", "new Map([[1, 2]])", "new Set('hello')",
            "`t${1}`",
    ];

    private static readonly string[] Methods =
    [
        "toString()", "length", "slice(1)", "slice(-2, 3)", "concat(b)", "indexOf('b')", "includes(1)", "join('-')",
        "map(x => x + 1)", "filter(x => x > 1)", "reduce((x, y) => x + y)", "reduce((x, y) => x + y, '')", "sort()",
        "sort((x, y) => y - x)", "reverse()", "push(1, 2)", "pop()", "shift()", "unshift('u')", "splice(1, 1, 'm')",
        "some(x => x)", "every(x => x)", "find(x => x > 1)", "findIndex(x => x === 2)", "flat()", "fill(0, 1)",
            "keys()",
        "toUpperCase()", "charAt(1)", "charCodeAt(0)", "split('')", "split(/[,b]/)", "trim()", "padStart(6, '*')",
        "padEnd(5)", "repeat(2)", "replace('a', x => x + x)", "replace(/[a-c]/g, '<$&>')", "match(/(\\w)(\\d)?/)",
        "match(/[a-z]/g)", "search(/c/)", "substring(1, 2)", "substr(-2, 1)", "startsWith('a')", "endsWith('c')",
        "lastIndexOf('a')", "at(-1)", "codePointAt(0)", "toFixed(2)", "toPrecision(3)", "toExponential(1)",
            "toString(2)",
        "toString(36)", "valueOf()", "hasOwnProperty('x')", "x", "y", "?.x?.y", "constructor.name", "x?.(1)",
            "test('ab')",
        "exec('xab')", "get(1)", "has('h')", "size", "getTime()", "getUTCDay()", "toISOString()", "next()", "add(1)",
        "entries()", "localeCompare('b')", "flatMap(x => [x, x])", "name", "lastIndex", "source",
        "matchAll(/./g)", "replaceAll('b', '$$')", "copyWithin(0, 1)", "toJSON()", "getUTCFullYear()",
            "propertyIsEnumerable(0)",
    ];

    private static readonly string[] Calls =
    [
        "Math.max(a, 2)", "Math.min(...c)", "Math.floor({0})", "Math.round({0})", "Math.abs({0})", "Math.sign({0})",
        "Math.trunc({0})", "Math.sqrt({0})", "Math.hypot(3, {0})", "Math.clz32({0})", "Math.imul({0}, 5)",
            "Math.fround({0})",
        "Object.keys(Object({0}))", "Object.values(d)", "Object.entries(d).flat()", "Object.assign({{}}, {0})",
        "Object.freeze({0})", "Object.isFrozen({0})", "Object.getOwnPropertyNames(Object({0})).length",
            "Object.is({0}, a)",
        "Object.fromEntries([['k', {0}]])", "Object.getOwnPropertyDescriptor(d, 'x')", "Object.create({0} && d)",
        "JSON.stringify({0})", "JSON.stringify({0}, null, 1)", "JSON.parse(JSON.stringify($r({0})))", "JSON.parse({0})",
        "Number({0})", "String({0})", "Boolean({0})", "parseInt({0})", "parseInt({0}, 16)", "parseFloat({0})",
            "isNaN({0})",
        "Array.from({0})", "Array.of({0}, 1)", "Array.isArray({0})", "Array({0}).length", "new Set({0})",
            "new Map({0})",
        "String.fromCharCode(65, {0})", "encodeURIComponent({0})", "f({0})", "Number.isInteger({0})",
            "new Date(Number({0})).getTime()",
        "Symbol({0}).toString()", "new Number({0})", "new String({0})", "Date.UTC(2020, {0}, 5)",
            "Number.isSafeInteger({0})",
        "Reflect_({0})", "String.raw`a\\n${{ {0} }}`", "[...{0}]", "{{ ...{0} }}", "typeof {0}", "void {0}", "!{0}",
            "-{0}", "+{0}",
        "~{0}", "({0}) ? a : b", "({0}) ?? 'n'", "'x' in Object({0})", "({0}) instanceof Object", "[{0}, ...c, , b]",
        "{{ a, [b]: {0}, m() {{ return 1 }} }}", "`${{ {0} }}-${{ b }}`", "(x => x)({0})",
            "(function () {{ return this }})() === {0}",
        "((x, ...y) => y.length)({0}, 1, 2)", "a++", "--a", "new Array(3).fill({0})", "isFinite({0})", "decodeURI({0})",
        "new Error({0}).message", "[3, 20, 100].sort()", "Object.prototype.toString.call({0})",
            "[1, [2, [{0}]]].flat(2)",
        "new RegExp({0}).test('a')", "Symbol.iterator in Object({0})", "new Date(2020, 0, 31, {0}).toISOString()",
            "[{0}] + ''",
    ];

    private readonly Random _random = new(seed * 31);

    internal string Variable() => Pick("a", "b", "c", "d", "e", "g");

    internal string Pick(params ReadOnlySpan<string> choices) => choices[_random.Next(choices.Length)];

    /// <summary>Something that a loop may walk; now and then something that it may not.</summary>
    internal string Iterable() => Pick(
        "c", "[1, 2, 'x']", "'abc'", "new Set([1, 1, 2])", "new Map([[1, 2], [3, 4]])", "Object.keys(d)", "c.entries()",
        "[[1, 2], [3]]", "[, 1]", "(function* () { yield 1; yield* 'ab'; })()", "[...'xyz'].reverse()", Any(1));

    /// <summary>Any expression, in parentheses if it needs them.</summary>
    internal string Any(int depth)
    {
        if (depth <= 0)
        {
            return _random.Next(3) > 0 ? Variable() : "(" + Pick(Literals) + ")";
        }

        return _random.Next(6) switch
        {
            0 => Any(0),
            1 or 2 => $"({Any(depth - 1)} {Pick(Operators)} {Any(depth - 1)})",
            3 or 4 => Method(depth),
            _ => "(" + string.Format(null, Pick(Calls), Any(depth - 1)) + ")",
        };
    }

    private string Method(int depth)
    {
        string method = Pick(Methods);
        string target = Any(depth - 1);
        return "(" + (method.StartsWith('?') ? target + method : target + (_random.Next(3) == 0
            ? "?." : ".") + method) + ")";
    }
}
