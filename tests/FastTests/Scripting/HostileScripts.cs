using Raven.Scripting.Hosting;

namespace FastTests.Scripting;

/// <summary>Scripts that never end or never have enough, by the limit that stops them.</summary>
internal static class HostileScripts
{
    /// <summary>Operations that look at a whole text: one step must not be worth a second.</summary>
    internal static string[] OfLongTexts { get; } =
    [
        .. new[]
        {
            "s * 1", "+s", "Number(s)", "parseFloat(s)", "parseInt(s)", "parseInt(s, 36)", "o[s]", "s in o", "s == t",
            "s === t", "s < t", "Object.is(s, t)", "a.indexOf(t)", "a.includes(t)", "a.sort()", "new Set(a)",
            "m.get(s)",
            "m.has(t)", "s.localeCompare(t)", "Date.parse(s)", "new Date(s)", "isNaN(s)", "s | 0", "s == 1", "[s] + 1",
            "s.startsWith(t)", "s.indexOf('x')", "s.toUpperCase()", "s.trim()", "JSON.stringify(s)", "/x/.test(s)",
            "s.split('1').length", "s.replace('x', '')", "[...s]", "for (const c of s) ;",
        }.Select(work => "const s = '1'.repeat(8e6), t = '1'.repeat(8e6), o = {}, m = new Map([[s, 1]]); "
            + $"const a = Array(1000).fill(s); for (;;) {work};"),
        "const s = ' '.repeat(8e6); for (;;) +s;", "const s = '9'.repeat(8e6); for (;;) -s;",
        "const s = 'a'.repeat(8e6); switch (s) { case s + '': for (;;) s > 'a'; }",
    ];

    internal static IReadOnlyDictionary<ScriptFailure, string[]> ByFailure { get; } =
        new Dictionary<ScriptFailure, string[]>
        {
            [ScriptFailure.Steps] =
            [
                "const s = '1'.repeat(100000); for (;;) s * 1;", "const s = ' '.repeat(100000); for (;;) +s;",
                "const s = '9'.repeat(100000); for (;;) Number(s);", "for (const s = 'x'.repeat(1e5); ; s == s + '');",
                "while (true);", "for (;;);", "for (;;) 2n ** 200000n;", "do { } while (1)",
                "for (let i = 0; ; i++) { }", "for (;;) { continue }",
                "a: for (;;) { for (;;) continue a }", "while (true) { try { throw 1 } catch { } }",
                "let i = 0; while (i >= 0) { i = i + 1 }", "for (var x of (function* () { for (;;) yield 1 })());",
                "const g = function* () { while (true) { } }; g().next()", "const f = () => { }; for (;;) f();",
                "for (;;) { switch (1) { case 1: continue } }", "for (;;) Math.max(1, 2);",
                "const o = { get x() { return 1 } }; for (;;) o.x;", "const o = { set x(v) { } }; for (;;) o.x = 1;",
                "const o = { toString() { return '' } }; for (;;) '' + o;", "for (;;) 'abc'.indexOf('c');",
                "const a = [3, 2, 1]; for (;;) a.sort((x, y) => x - y);", "const a = [1]; for (;;) a.indexOf(2);",
                "const a = []; a.length = 40000; for (;;) a.lastIndexOf(1);", "for (;;) [].every.call('', x => x);",
                "const a = Array(40000).fill(0); for (;;) a.includes(1);",
                    "const a = Array(40000).fill(0); for (;;) a.reverse();",
                "const a = Array(40000).fill(1); for (;;) a.some(x => false);",
                    "const s = new Set([1]); for (;;) s.has(1);",
                "const a = Array(40000).fill(1); for (;;) a.reduce((x, y) => x);", "for (;;) parseInt('12');",
                "const s = 'x'.repeat(100000); for (;;) s.indexOf('y');", "for (;;) isNaN(1);",
                "const s = 'x'.repeat(100000); for (;;) s.includes('y');", "for (;;) Object.is(1, 2);",
                "const s = 'x'.repeat(100000); for (;;) s.lastIndexOf('y');", "for (;;) Number.isInteger(1);",
                "const s = 'x'.repeat(100000); for (;;) s.trim();", "for (;;) Array.isArray([].x);",
                "const m = new Map([[1, 1]]); for (;;) m.get(1);", "let i = 10; for (; i; i++) i = 10;",
                "const d = new Date(0); for (;;) d.getTime();", "const d = new Date(0); for (;;) d.setTime(1);",
                "const a = Array(40000).fill(1); for (;;) a.copyWithin(0, 1);", "for (;;) { if (0) { } else { } }",
                "const it = { [Symbol.iterator]() { return { next() { return this } } } }; for (const x of it);",
                "Array.from({ length: 1e4 }, () => { for (;;); })", "[1].forEach(() => { for (;;); })",
                "[2, 1].sort(() => { for (;;); })", "'a'.replace('a', () => { for (;;); })",
                "JSON.stringify({ toJSON() { for (;;); } })", "JSON.parse('[1]', () => { for (;;); })",
                "new (class { constructor() { for (;;); } })", "`${{ toString() { for (;;); } }}`",
                "({ get a() { for (;;); } }).a", "new Map([[1, 2]]).forEach(() => { for (;;); })",
                "class A { x = (() => { for (;;); })() } new A()", "[...{ [Symbol.iterator]() { for (;;); } }]",
                "Object.defineProperty({}, 'x', { get value() { for (;;); } })", "+{ valueOf() { for (;;); } }",
                "class A { static { for (;;); } }", "class A { #x = 1; go() { for (;;) this.#x++; } } new A().go()",
                "let a = 1n; for (;;) a = -a;", "const a = 3n ** 9n; for (;;) a % 7n;", "for (;;) 1n < 2;",
                "const a = [2, 1]; for (;;) a.toSorted((x, y) => x - y);", "for (;;) Symbol.for('x');",
                "Object.groupBy([1], () => { for (;;); })", "for (;;) 'a'.localeCompare('b');",
                "const s = new Set([1]), t = new Set([2]); for (;;) s.isDisjointFrom(t);",
                "for (;;) structuredClone(1);",
                "new Set([1]).union({ size: 1, has() {}, *keys() { for (;;); } })",
                "const s = 'e\\u0301'.repeat(20000); for (;;) s.localeCompare(s + 'a');",
            ],
            [ScriptFailure.Memory] =
            [
                "const a = []; for (;;) a.push([1, 2, 3, 4, 5, 6, 7, 8]);", "let o = {}; for (;;) o = { o };",
                "const o = {}; for (let i = 0; ; i++) o['k' + i] = i;", "for (;;) 'x'.repeat(100000);",
                "const m = new Map(); for (let i = 0; ; i++) m.set(i, i);", "for (;;) new Array(10000);",
                "const s = new Set(); for (let i = 0; ; i++) s.add(i);", "for (;;) [1, 2, 3].concat(Array(10000));",
                "const a = Array(50000).fill(0); for (;;) a.slice();",
                    "const a = Array(50000).fill(0); for (;;) [...a];",
                "const a = Array(50000).fill(0); for (;;) a.map(x => x);", "for (;;) new Error('x'.repeat(50000));",
                "const o = { a: 'x'.repeat(50000) }; for (;;) JSON.stringify(o);",
                    "let f = () => 0; for (;;) { let g = f; f = () => g; }",
                "const s = '[' + '1,'.repeat(9000) + '1]'; for (;;) JSON.parse(s);", "for (;;) 'a'.padStart(150000);",
                "const s = 'a,'.repeat(20000); for (;;) s.split(',');",
                    "const s = 'ab'.repeat(50000); for (;;) s.replace(/a/g, 'c');",
                "const s = 'x'.repeat(100000); for (;;) s.toUpperCase();", "for (;;) Array.from('x'.repeat(40000));",
                "const s = 'x'.repeat(100000); for (let i = 0; ; i++) s.slice(1);",
                    "for (;;) 'x'.repeat(90000).split('');",
                "const s = 'x'.repeat(100000); for (;;) encodeURIComponent(s);",
                    "for (;;) new RegExp('a' + Math.abs(1));",
                "const o = Object.fromEntries(Array(2000).fill().map((_, i) => ['k' + i, i])); for (;;) ({ ...o });",
                "const o = Object.fromEntries(Array(999).fill().map((_, i) => ['k' + i, i])); for (;;) Object.keys(o);",
                "let s = 'x'; for (;;) { s = 'y' + s + 'z'; s.length > 90000 && (s = s.slice(0, 60000)); s.charAt(0) }",
                "function f() { return arguments } for (;;) f(...Array(40000));", "for (;;) (function* () { })();",
                "let a = 1n; for (;;) a = (a << 1000n) % (1n << 200000n);",
                "const a = 7n ** 90000n; for (;;) String(a);", "const a = []; for (let i = 0n; ; i++) a[0] = i;",
                "class A { #a; #b; #c; #d; #e } for (;;) new A();", "for (let i = 0; ; i++) Symbol.for('k' + i);",
                "const a = Array(50000).fill(0); for (;;) a.toReversed();", "for (;;) Object.groupBy('abc', x => x);",
                "const a = Array(50000).fill(0); for (;;) a.with(0, 1);", "for (;;) structuredClone([[[[]]]]);",
                "const a = Array(999).fill().map((_, i) => i); for (;;) new Set(a).union(new Set([1]));",
                "const s = '\\ufdfa'.repeat(9000); for (;;) s.normalize('NFKC');",
                "for (;;) new RegExp('\\\\p{L}', 'u');",
            ],
            [ScriptFailure.CallDepth] =
            [
                "function f() { f() } f()", "const f = () => f(); f()",
                    "class A { get x() { return this.x } } new A().x",
                "const a = { toString() { return a + '' } }; a + ''", "const o = { valueOf() { return +o } }; +o",
                "function f(n) { return [1].map(() => f(n)) } f()", "function f() { return [2, 1].sort(f) } f()",
                "const f = function () { return f.call() }; f()", "const f = () => f.apply(null, []); f()",
                "class A { constructor() { new A() } } new A()", "function F() { new F() } F()",
                "const o = { set x(v) { o.x = v } }; o.x = 1", "function* g() { yield* g() } [...g()]",
                "let f = () => 1; for (let i = 0; i < 400; i++) f = f.bind(); f()",
                    "const o = { toJSON() { return JSON.stringify(o) } }; JSON.stringify(o)",
                "let a = []; for (let i = 0; i < 500; i++) a = [a]; JSON.stringify(a)",
                    "let a = []; for (let i = 0; i < 500; i++) a = [a]; '' + a",
                "const f = (x = f()) => x; f()", "const f = ({ a = f({}) }) => a; f({})",
                    "'a'.replace('a', function f() { return 'a'.replace('a', f) })",
                "JSON.parse('['.repeat(400) + ']'.repeat(400), (k, v) => v)", "const f = () => `${f()}`; f()",
                "let a = []; for (let i = 0; i < 500; i++) a = [a]; structuredClone(a)",
                "class A { get #x() { return this.#x } go() { return this.#x } } new A().go()",
            ],
            [ScriptFailure.StringLength] =
            [
                "let s = 'x'; for (;;) s += s;", "'x'.repeat(1e6)", "'x'.repeat(2 ** 30)", "'ab'.padStart(1e9)",
                    "'ab'.padEnd(1e7, 'xyz')",
                "Array(40000).join('xxxxxxxxxx')", "let s = 'x'.repeat(100000); s.concat(s, s)",
                    "let s = 'x'.repeat(150000); `${s}${s}`",
                "'x'.repeat(150000).replace(/x/g, 'yy')", "'x'.repeat(150000).replaceAll('x', 'yy')",
                    "'x'.repeat(1000).replace(/x/g, '$`$`')",
                "JSON.stringify('\\u0001'.repeat(100000))", "encodeURIComponent(' '.repeat(100000))",
                    "let a = ['x'.repeat(1000)]; while (1) a = [a + a];",
                "const a = Array(1000).fill('x'.repeat(1000)); '' + a",
                    "JSON.stringify(Array(45000).fill(null), null, 10)",
                    "String.raw({ raw: Array(300).fill('x'.repeat(1000)) })",
                "'\\ufdfa'.repeat(20000).normalize('NFKD')", "'\\u0958'.repeat(150000).normalize('NFD')",
            ],
            [ScriptFailure.ArrayLength] =
            [
                "new Array(1e9)", "new Array(1e9).join()", "new Array(2147483647).join('*')", "Array(4294967295)",
                    "[].length = 1e8",
                "const a = []; a.length = 4e9", "const a = []; a[1e7] = 1", "Array.from({ length: 1e9 })",
                    "const a = []; for (;;) a.push(1);",
                "const a = [1]; for (;;) a.push(...a);", "let a = [1]; for (;;) a = a.concat(a);",
                    "let a = [1]; for (;;) a = [...a, ...a];",
                "Math.max(...Array(1e6))", "Math.max.apply(null, { length: 1e9 })",
                    "[].map.call({ length: 1e9 }, x => x)",
                "[].sort.call({ length: 1e9 })", "'x'.repeat(100000).split('')",
                    "const a = [1]; for (;;) a.splice(0, 0, ...a);",
                "[...'x'.repeat(60000)]", "Array.from('x'.repeat(60000))", "'x'.repeat(60000).match(/x/g)",
                    "const a = [1]; for (;;) a.unshift(...a);",
                "[].toSorted.call({ length: 1e9 })", "[].with.call({ length: 1e9 }, 0, 1)",
                "let a = [1]; for (;;) a = a.toSpliced(0, 0, ...a);", "[].toReversed.call({ length: 1e9 })",
            ],
            [ScriptFailure.RegExpTime] =
            [
                @"/^(?=(a+)+$)/.test('a'.repeat(40) + 'b')", @"/(a*)*\1b/.test('a'.repeat(40))",
                    @"/(a|aa)+\1$b/.test('a'.repeat(60))",
                @"/(x+x+)+\1y/.test('x'.repeat(60))", @"'a'.repeat(50).replace(/(a+)+\1b/, '')",

                @"'a'.repeat(50).split(/(a+)+\1b/)", @"new RegExp('(a+)+\\1b').exec('a'.repeat(50))",
                    @"'a'.repeat(50).search(/(a+)+\1b/)",
            ],
        };
}
