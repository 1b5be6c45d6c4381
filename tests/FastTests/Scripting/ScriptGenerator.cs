using System.Globalization;
using System.Text;

namespace FastTests.Scripting;

/// <summary>
/// Writes scripts by a grammar, the same script for the same seed. Every script ends: loops and calls count ticks, and
/// values that grow are cut. It returns a text that distinguishes values that JSON does not, and that is cut too:
/// nested wide objects would take minutes to write.
/// </summary>
internal sealed class ScriptGenerator(int seed)
{
    /// <summary>What every generated script starts with.</summary>
    internal const string Prelude = """
        let $n = 0, $m = 0; const $log = [];
        const $t = () => { if (++$n > 3000) throw new RangeError('ticks'); };
        const $c = x => typeof x === 'string' ? x.slice(0, 40) : Array.isArray(x) && x.length > 20 ? x.slice(0, 20) : x;
        const $r = (x, d = 0) => {
          if (++$m > 5000) return '....';
          if (typeof x === 'number') return Object.is(x, -0) ? '-0' : String(x);
          if (typeof x === 'string') return JSON.stringify(x);
          if (typeof x === 'symbol') return x.toString();
          if (typeof x === 'function') return 'fn ' + x.name + '/' + x.length;
          if (x === null || typeof x !== 'object') return String(x);
          if (d > 3) return '...';
          if (x instanceof Error) return 'error ' + x.name;
          if (x instanceof Date) return isNaN(x) ? 'no date' : x.toISOString();
          if (x instanceof RegExp) return String(x) + x.lastIndex;
          if (x instanceof Map || x instanceof Set) return x.constructor.name + [...x].map(y => $r(y, d + 1));
          if (Array.isArray(x)) {
            let s = '[';
            for (let i = 0; i < x.length; i++) s += (i in x ? $r(x[i], d + 1) : 'hole') + ',';
            return s + Object.keys(x).filter(k => isNaN(k)) + ']';
          }
          return '{' + Object.keys(x).map(k => k + ':' + $r(x[k], d + 1)) + '}';
        };
        """;

    private readonly Random _random = new(seed);
    private readonly StringBuilder _text = new();
    private readonly ExpressionGenerator _expressions = new(seed);
    private int _depth;

    /// <summary>The whole script.</summary>
    internal string Generate()
    {
        _text.Append(Prelude);
        if (_random.Next(4) == 0)
        {
            _text.Insert(0, "'use strict';\n");
        }

        _text.Append("let a = 1, b = 'text', c = [3, 1, 2], d = { x: 1, y: 'z' }, e, f = x => x, g = null;\n");
        int count = _random.Next(4, 12);
        for (int i = 0; i < count; i++)
        {
            _text.Append("try {\n");
            Statement();
            _text.Append("} catch (err) { $log.push('threw ' + $r(err)); }\n");
        }

        _text.Append("return [a, b, c, d, e, g, $log].map(x => $r(x)).join('\\n');\n");
        return _text.ToString();
    }

    private string Expression() => _expressions.Any(3);

    private string Variable() => _expressions.Variable();

    private string Number(int max) => _random.Next(max).ToString(CultureInfo.InvariantCulture);

    private void Block(int most = 3)
    {
        _depth++;
        _text.Append("{\n");
        int count = _depth > 3 ? 1 : _random.Next(1, most + 1);
        for (int i = 0; i < count; i++)
        {
            Statement();
        }

        _text.Append("}\n");
        _depth--;
    }

    private void Statement()
    {
        int kind = _random.Next(_depth > 3 ? 4 : 22);
        switch (kind)
        {
            case 0 or 1:
                _text.Append($"{Variable()} = $c({Expression()});\n");
                break;
            case 2:
                _text.Append($"$log.push($r({Expression()}));\n");
                break;
            case 3:
                _text.Append($"{Variable()} {_expressions.Pick("+=", "-=", "*=", "|=", "??=", "&&=", "||=", "%=")} ");
                _text.Append($"{_expressions.Any(2)}; a = $c(a); b = $c(b);\n");
                break;
            case 4 or 5:
                _text.Append($"if ({Expression()}) ");
                Block();
                if (_random.Next(2) == 0)
                {
                    _text.Append("else ");
                    Block();
                }

                break;
            case 6 or 7:
                Loop();
                break;
            case 8:
                Try();
                break;
            case 9:
                Switch();
                break;
            case 10 or 11:
                Function();
                break;
            case 12:
                Class();
                break;
            case 13:
                Generator();
                break;
            case 14 or 15:
                Destructuring();
                break;
            case 16:
                Closures();
                break;
            default:
                Special(kind);
                break;
        }
    }

    private void Special(int kind)
    {
        string n = Number(1000);
        _text.Append(kind switch
        {
            17 => $"{{ const s{n} = {Expression()}; let t{n} = $c(s{n}); e = t{n}; }}\n",
            18 => $"$log.push(typeof h{n}, (() => {{ try {{ return h{n} }} catch (z) {{ return z.name }} }})());\n",
            19 => $"var w{n} = {Expression()}; $log.push($r(w{n}), delete d.{_expressions.Pick("x", "y", "q")});\n",
            20 => $"for (const k in {Expression()}) {{ $t(); $log.push(k); if ($log.length > 30) break; }}\n",
            _ => $"d = {{ ...{_expressions.Pick("d", "c", "null", "'ab'")}, "
                + $"get p() {{ return {_expressions.Any(2)} }}, "
                + $"set p(v) {{ a = v }}, [{_expressions.Any(1)}]: {Variable()} }}; d.p = {n};\n",
        });
    }

    private void Loop()
    {
        string i = "i" + Number(100);
        string label = _random.Next(3) == 0 ? "l" + Number(100) + "x" + _depth : "";
        _text.Append(label.Length > 0 ? label + ": " : "");
        switch (_random.Next(4))
        {
            case 0:
                _text.Append($"for (let {i} = 0; {i} < {Number(6)}; {i}++) {{ $t(); ");
                break;
            case 1:
                _text.Append($"for (const {i} of {_expressions.Iterable()}) {{ $t(); $log.push($r({i})); ");
                break;
            case 2:
                _text.Append($"for (var {i} = 3; {i}--;) {{ $t(); ");
                break;
            default:
                _text.Append($"while ({Expression()}) {{ $t(); if ($n % 5 == 4) break; ");
                break;
        }

        Block(2);
        _text.Append($"if ({_expressions.Any(1)}) {_expressions.Pick("break", "continue")} {label};\n}}\n");
    }

    private void Try()
    {
        _text.Append("try ");
        Block(2);
        if (_random.Next(2) == 0)
        {
            string error = _expressions.Pick("TypeError", "RangeError", "Error", "SyntaxError");
            _text.Insert(_text.Length - 2, $"throw {_expressions.Pick($"new {error}('m')", Variable(), "1")};\n");
        }

        if (_random.Next(4) > 0)
        {
            _text.Append(_expressions.Pick("catch (x) { $log.push('caught ' + $r(x)); ", "catch { ",
                "catch ({ name }) { e = name; "));
            Block(1);
            _text.Append("}\n");
            if (_random.Next(2) == 0)
            {
                return;
            }
        }

        _text.Append("finally { $log.push('finally'); ");
        Block(1);
        _text.Append("}\n");
    }

    private void Switch()
    {
        _text.Append($"switch ({Expression()}) {{\n");
        for (int i = _random.Next(1, 4); i > 0; i--)
        {
            _text.Append(_random.Next(5) == 0 && i == 1 ? "default:" : $"case {_expressions.Any(1)}:");
            Block(1);
            _text.Append(_random.Next(2) == 0 ? "break;\n" : "");
        }

        _text.Append("}\n");
    }

    private void Function()
    {
        string name = "fn" + Number(1000);
        string parameters = _expressions.Pick(
            "p, q", "p = 1, q = p", "p, ...q", "{ x: p = 2, ...q } = {}", "[p, q = 3] = [1]", "");
        string keys = parameters.Length == 0 ? "arguments[0], arguments.length" : "p, q";
        bool arrow = parameters.Length > 0 && _random.Next(2) == 0;
        _text.Append(arrow ? $"const {name} = ({parameters}) => {{ $t();\n"
            : $"function {name}({parameters}) {{ $t();\n");
        Block(2);
        _text.Append($"return [{keys}, {_expressions.Any(2)}];\n}}\n");
        string arguments = _expressions.Pick("", "5", "a, b", "d", "c", "...c", "...'xy'", "undefined, 2");
        _text.Append($"e = {name}({arguments});\n");
        if (!arrow)
        {
            _text.Append($"$log.push($r({name}.call({Variable()}, {_expressions.Any(1)})));\n");
        }
    }

    private void Class()
    {
        string name = "C" + Number(1000);
        string parent = _expressions.Pick("", "", " extends Array", " extends Error", " extends Map",
            " extends Object");
        _text.Append($"class {name}{parent} {{\n");
        if (_random.Next(2) == 0)
        {
            string call = parent.Length > 0 ? "super();" : "";
            _text.Append($"constructor(...r) {{ {call} this.k = {_expressions.Any(2)}; }}\n");
        }

        _text.Append($"m(x) {{ $t(); return [{_expressions.Any(2)}, x, this instanceof {name}]; }}\n");
        _text.Append($"static s = {_expressions.Any(1)}; u = {_expressions.Any(1)};\n");
        _text.Append("get v() { return this.k; } set v(x) { this.k = x; } ");
        _text.Append($"[{_expressions.Any(1)}]() {{ return 1; }}\n}}\n");
        _text.Append($"e = new {name}(); e.v = {_expressions.Any(1)}; $log.push($r(e.m(1)), $r(e.v), $r({name}.s));\n");
        if (_random.Next(2) == 0)
        {
            _text.Append($"class D{name} extends {name} {{ m(x) {{ return ['sub', super.m(x), super.v]; }} }}\n");
            _text.Append($"$log.push($r(new D{name}().m(2)));\n");
        }
    }

    private void Generator()
    {
        string name = "g" + Number(1000);
        _text.Append($"function* {name}(n) {{ $t();\n");
        _text.Append(_expressions.Pick(
            $"for (let i = 0; i < n; i++) {{ const x = yield [i, {_expressions.Any(1)}]; if (x) i += x; }}\n",
            $"try {{ yield {_expressions.Any(1)}; yield* [1, n]; }} "
                + "catch (x) { yield 'c' + $r(x); } finally { yield 'f'; }\n",
            $"const z = (yield 1) + (yield {_expressions.Any(1)}); yield [z, yield, {{ k: yield z }}];\n",
            $"for (const x of {_expressions.Iterable()}) {{ $t(); "
                + "if (x === 1) continue; yield x; if ($n > 900) return 'r'; }\n",
            "let k = 0; do { k++; switch (yield k) { case 1: yield 'one'; break; default: yield 'other'; } } "
                + "while (k < n);\n"));
        _text.Append("return 'end';\n}\n");
        string resume = _expressions.Pick("next(i)", "next(i)", "next()", "return(7)", "throw(i)");
        _text.Append($"{{ const it = {name}({Number(4)}); for (let i = 0; i < {Number(9)}; i++) ");
        _text.Append($"$log.push($r(it.{resume})); }}\n");
        if (_random.Next(2) == 0)
        {
            _text.Append($"for (const x of {name}(3)) {{ $t(); $log.push($r(x)); if ($log.length > 20) break; }}\n");
        }
    }

    private void Destructuring()
    {
        string source = Expression();
        string holder = _expressions.Pick("d", "{ x: undefined, y: 1, z: 2 }", "c", "'st'");
        _text.Append(_expressions.Pick(
            $"[a, b = {_expressions.Any(1)}, ...c] = {_expressions.Iterable()};\n",
            $"({{ x: a = 7, ['y']: b, ...e }} = {holder});\n",
            $"{{ const [p, , q = p, ...r] = {_expressions.Iterable()}; $log.push($r([p, q, r])); }}\n",
            $"{{ let {{ length: n = 'none', x: {{ y = 5 }} = {{}} }} = {source} ?? {{}}; $log.push($r([n, y])); }}\n",
            "[c[0], d.x] = [d.x, c[0]];\n",
            $"for (const [k, v] of Object.entries({_expressions.Pick("d", "c", "{ m: 1 }")})) "
                + "{ $t(); $log.push(k, $r(v)); }\n"));
    }

    private void Closures()
    {
        string name = "fs" + Number(1000);
        string kind = _expressions.Pick("let", "const", "var");
        string loop = kind == "const" ? "for (const j of [0, 1, 2])" : $"for ({kind} j = 0; j < 3; j++)";
        _text.Append($"const {name} = []; {loop} {{ {name}.push(() => j, x => (a = x, [a, j])); }}\n");
        _text.Append($"$log.push($r({name}.map(h => h({_expressions.Any(1)}))));\n");
    }
}
