using System.Globalization;
using System.Text;

namespace FastTests.Scripting;

/// <summary>
/// Writes scripts that use what <see cref="ScriptGenerator"/> does not: BigInt, private names, static blocks, code
/// points in regular expressions, copies of arrays, sets and groups, clones, normal forms and the order of texts. The
/// same script for the same seed; each expression is caught by itself, and its error is known by its name.
/// </summary>
/// <param name="seed">The seed.</param>
/// <param name="isForJint">
/// With the functions of sets and groups, which node 20 does not have, in place of clones, normal forms and the order
/// of texts, which Jint has not or leaves to the culture of the process; and without parseInt of large integers, which
/// Jint writes by all of their digits, where the language has the shortest that stand for the number.
/// </param>
internal sealed class AdditionGenerator(int seed, bool isForJint)
{
    private const string Prelude = """
        const $log = [];
        const $r = (x, d = 0) => {
          if (typeof x === 'bigint') return x + 'n';
          if (typeof x === 'number') return Object.is(x, -0) ? '-0' : String(x);
          if (typeof x === 'string') return JSON.stringify(x);
          if (typeof x === 'symbol') return x.toString();
          if (typeof x === 'function') return 'fn ' + x.name;
          if (x === null || typeof x !== 'object') return String(x);
          if (d > 4) return '...';
          if (x instanceof Error) return 'error ' + x.name;
          if (x instanceof Date) return 'date ' + x.getTime();
          if (x instanceof RegExp) return String(x);
          if (x instanceof Map) return 'map' + [...x].map(y => $r(y, d + 1));
          if (x instanceof Set) return 'set' + [...x].map(y => $r(y, d + 1));
          if (Array.isArray(x)) {
            let s = '[';
            for (let i = 0; i < x.length; i++) s += (i in x ? $r(x[i], d + 1) : 'hole') + ',';
            return s + ']';
          }
          return '{' + Object.keys(x).map(k => k + ':' + $r(x[k], d + 1)) + '}';
        };
        const $t = f => { try { $log.push($r(f())); } catch (e) { $log.push('threw ' + e.name); } };

        """;

    /// <summary>The last one is an object, to which Jint cannot apply ++.</summary>
    private static readonly string[] BigInts =
    [
        "0n", "1n", "-1n", "2n", "7n", "-12n", "255n", "0xffn", "0b101n", "0o17n", "4294967296n", "-4294967297n",
        "9007199254740993n", "18446744073709551615n", "123456789012345678901234567890n", "(2n ** 64n)",
        "(-(3n ** 50n))",
        "BigInt('12')", "BigInt(5)", "BigInt.asIntN(8, 200n)", "BigInt.asUintN(16, -3n)", "(10n ** 30n)",
        "Object(4n)",
    ];

    private static readonly string[] Others =
    [
        "0", "1", "-1.5", "2", "NaN", "Infinity", "'1'", "'abc'", "''", "' 12 '", "true", "null", "undefined", "[]",
        "[3]", "{}", "9007199254740992", "1e21", "'0x10'", "Symbol.for('s')", "1n", "7n",
    ];

    private static readonly string[] Operators =
        ["+", "-", "*", "/", "%", "&", "|", "^", "<", ">", "<=", ">=", "==", "!=", "===", "!=="];

    private static readonly string[] Sets =
    [
        @"\p{L}", @"\P{L}", @"\p{Lu}", @"\p{Ll}", @"\p{N}", @"\p{Nd}", @"\p{P}", @"\p{S}", @"\p{M}", @"\p{Z}",
        @"\p{Script=Greek}", @"\p{Script=Cyrillic}", @"\p{sc=Latin}", @"\p{Script=Han}", @"\p{Alphabetic}",
        @"\p{White_Space}", @"\p{Emoji_Presentation}", @"\p{ASCII}", @"\w", @"\W", @"\d", @"\D", @"\s", @"\S", ".",
        "[a-z]", "[^a-z]", @"[\p{L}\d]", @"[^\p{L}\s]", "[é-ÿ]", @"[\u{1F600}-\u{1F64F}]", "[😀a]", "[^😀]", "a", "é",
        "😀", @"\u{1F600}",
    ];

    private static readonly string[] Characters =
    [
        "a", "b", "Z", "é", "É", "e\\u0301", "ß", "ñ", "1", "9", "٣", "_", " ", "-", ",", "!", "Ω", "ω", "я", "Ж", "漢",
        "あ", "한", "😀", "😃", "𝒳", "€", "\\u0300", "\\u0323", "ﬁ", "①", "\\u00a0",
    ];

    /// <summary>Of one alphabet and what stands around its letters. Without the ligature of o and e, whose place beside
    /// o with a stroke differs between versions of the tables of Unicode.</summary>
    private static readonly string[] Letters =
    [
        "a", "A", "b", "B", "c", "e", "E", "é", "É", "è", "ê", "n", "ñ", "o", "ö", "Ö", "ø", "s", "ß", "ss", "u", "ü",
        "z", "Z", "1", "2", "10", " ", "-", "_", ".", "æ", "ae", "l", "ł", "d", "đ",
    ];

    private readonly Random _random = new(seed * 17);

    internal string Generate()
    {
        StringBuilder text = new(Prelude);
        int count = _random.Next(6, 14);
        for (int i = 0; i < count; i++)
        {
            text.Append(Statement(i)).Append('\n');
        }

        return text.Append("return $log.join('\\n');\n").ToString();
    }

    private string Statement(int index) => _random.Next(9) switch
    {
        0 or 1 => Try(Big(3)),
        2 => Try($"{Any()} {Pick(Operators)} {Any()}"),
        3 => Class("C" + index.ToString(CultureInfo.InvariantCulture)),
        4 or 5 => Pattern(),
        6 => Try($"{List()}.{Copy()}"),
        7 when !isForJint => Try($"structuredClone({Value(3)})"),
        8 when !isForJint => Text(),
        7 => Try($"new Set({List()}).{Pick("union", "intersection", "difference", "symmetricDifference",
            "isSubsetOf", "isSupersetOf", "isDisjointFrom")}({Pick($"new Set({List()})", $"new Map([[1, {List()}]])",
            "[1]", "{ size: 2, has: x => x === 1, keys: () => [1, 2].values() }")})"),
        _ => Try($"{Pick("Object", "Map")}.groupBy({Pick(List(), "'abcab'", "new Set([1, 2])", "null")}, "
            + $"{Pick("x => x", "x => typeof x", "(x, i) => i % 2", "x => x > 1", "5")})"),
    };

    private string Try(string expression) => $"$t(() => ({expression}));";

    private string Any() => _random.Next(2) == 0 ? BigLiteral() : Pick(Others);

    private string BigLiteral() => Pick(isForJint ? BigInts[..^1] : BigInts);

    private string Big(int depth) => depth == 0 || _random.Next(5) == 0 ? BigLiteral() : _random.Next(8) switch
    {
        0 => $"(- {Big(depth - 1)})",
        1 => $"(~ {Big(depth - 1)})",
        2 => $"({Big(depth - 1)} {Pick("<<", ">>")} {Pick("0n", "1n", "3n", "70n", "-2n")})",
        3 => $"(({Big(0)}) ** {Pick("0n", "1n", "2n", "5n", "-1n")})",
        4 => $"BigInt.{Pick("asIntN", "asUintN")}({Pick("0", "1", "8", "64", "100", "-1")}, {Big(depth - 1)})",
        5 => Pick("BigInt(Number({0}))", "BigInt(String({0}))", "BigInt(({0}).toString())", "Number({0})",
            "({0}).toString(16)", "({0}).toString(7)", "(x => x++)({0})", "(x => --x)({0})", "!{0}", "typeof {0}",
            "`${{{0}}}`", "[{0}].includes({0})", "new Map([[{0}, 1]]).get({0})", "JSON.stringify({0})", "+ {0}",
            isForJint ? "Number({0})" : "parseInt({0})", "Math.abs({0})",
            "({0}) == Number({0})").Replace("{0}", Big(depth - 1), StringComparison.Ordinal)
                .Replace("{{", "{", StringComparison.Ordinal).Replace("}}", "}", StringComparison.Ordinal),
        _ => $"({Big(depth - 1)} {Pick("+", "-", "*", "/", "%", "&", "|", "^")} {Big(depth - 1)})",
    };

    private string Class(string name)
    {
        string first = Pick("1", "[1, 2]", "'t'", "5n", "null", "undefined");
        string use = Pick(
            "this.#a", "this.#a = 2", "this.#a += 1", "this.#a++", "this.#m(3)", "this.#v", "this.#v = 4", "o.#a",
            "o?.#a", "#a in o", "#m in this", $"{name}.#s", $"++{name}.#s", "this.#m = 1", "[this.#a] = [9]",
            "({ x: this.#a } = { x: 8 })", "this.#a ??= 6", "o.#m(1)", "(() => this.#a)()", "this.#m.name");
        string other = Pick("{}", "null", "1", $"new {name}()", name, "'s'");
        return $$"""
            $t(() => { class {{name}} { #a = {{first}}; static #s = 3; #m(x) { return [x, this.#a]; }
              get #v() { return this.#a; } {{Pick("", "set #v(x) { this.#a = [x]; }")}}
              static { this.made = {{Pick($"{name}.#s", "this.name", "typeof this", "new this().go({})")}}; }
              go(o) { const r = {{use}}; return [r, this.#a, {{name}}.made]; } }
              return new {{name}}().go({{other}}); });
            """;
    }

    private string Pattern()
    {
        StringBuilder pattern = new();
        for (int i = _random.Next(1, 4); i > 0; i--)
        {
            pattern.Append(_random.Next(4) == 0 ? $"({Pick(Sets)})" : Pick(Sets));
            pattern.Append(Pick("", "", "", "+", "*", "?", "{2}"));
        }

        string flags = Pick("u", "gu", "u", "su");
        string whole = _random.Next(3) == 0 ? $"/^{pattern}$/{flags}" : $"/{pattern}/{flags}";
        string text = Word(Characters);
        return Try(Pick(
            $"{whole}.test({text})", $"{whole}.exec({text})", $"{text}.match({whole})", $"{text}.split({whole})",
            $"{text}.replace({whole}, '<$&>')", $"{text}.search({whole})"));
    }

    private string Text()
    {
        if (_random.Next(2) == 0)
        {
            string words = string.Join(", ", Enumerable.Range(0, 5).Select(_ => Word(Letters)));
            return Try($"[{words}].sort((x, y) => x.localeCompare(y))");
        }

        return Try($"{Word(Characters)}.normalize('{Pick("NFC", "NFD", "NFKC", "NFKD")}')");
    }

    private string Word(string[] characters) => "'" + string.Concat(
        Enumerable.Range(0, _random.Next(1, 6)).Select(_ => Pick(characters))) + "'";

    private string List() => Pick(
        "[3, 1, 2]", "[1, , 3]", "[]", "['b', 'a', 'b']", "[1, 2n, 'x', null]", "[5, 1, 4, 1]");

    private string Copy() => Pick(
        "toSorted()", "toSorted((x, y) => (String(x) > String(y) ? -1 : 1))",
        "toSorted(1)", "toReversed()", "toSpliced(1, 1)",
        "toSpliced(-1, 0, 'n')", "toSpliced()", "toSpliced(0)", "with(0, 'w')", "with(-1, 'w')", "with(9, 1)", "at(-1)",
        "findLast(x => x)", "findLastIndex(x => x > 1)");

    private string Value(int depth) => depth == 0 ? Any() : _random.Next(9) switch
    {
        0 => $"[{Value(depth - 1)}, , {Value(depth - 1)}]",
        1 or 2 => $"{{ a: {Value(depth - 1)}, b: {Value(depth - 1)} }}",
        3 => $"new Map([[{Value(depth - 1)}, {Value(depth - 1)}]])",
        4 => $"new Set([{Value(depth - 1)}])",
        5 => Pick("new Date(5)", "/a/g", "new RangeError('m')", "new Number(1)", "Object('s')"),
        6 => Pick("x => x", "new (class { x = 1; get y() { return 1 } })", "{ get g() { return 2 } }", "new WeakSet()"),
        _ => Any(),
    };

    private string Pick(params ReadOnlySpan<string> choices) => choices[_random.Next(choices.Length)];
}
