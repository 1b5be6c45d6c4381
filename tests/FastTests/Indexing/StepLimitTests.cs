using Raven.Documents.Indexing.Extensions;
using Raven.Search.Analysis;

namespace FastTests.Indexing;

/// <summary>Code of an analyzer that does not end is ended, and code that ends is not changed by what counts its
/// steps.</summary>
public sealed class StepLimitTests
{
    private const string Members = """
        int Count(int n) { int i = 0; foreach (var (a, b) in new[] { (1, n) }) i += b;
            do i++; while (i < 9); return i; }
        int Value => 3;
        int Other { get => Value; set => _ = value; }
        int this[int i] => i + Other;
        static int Twice(int n) => n * 2;
        void Nothing() => Twice(1);
        static int Fail() => throw new ArgumentException("mine");
        class Pair(int a) { public int A => a; public Pair() : this(2) => A.ToString();
            public static Pair operator +(Pair l, Pair r) => new(l.A + r.A);
            public static implicit operator int(Pair p) => p.A; }
        Action Act(int[] to) => () => to[0]++;
        System.Linq.Expressions.Expression<Func<int, int>> Tree => n => n + 1;
        IEnumerable<int> Some() { for (int i = 0; i < 3; i++) { if (i == 1) goto next; yield return i; next: ; } }
        """;

    private static readonly string[] Endless =
    [
        "while (true) { }",
        "while (true);",
        "for (;;) try { } finally { }",
        "do { try { throw new Exception(); } catch { } } while (true);",
        "again: goto again;",
        "switch (text.Length) { case 3: goto default; default: goto case 3; }",
        "foreach (int i in Endless()) { } IEnumerable<int> Endless() { while (true) yield return 1; }",
        "while (true) { try { while (true) { } } catch (Exception) { } }",
        "Deep(1); static int Deep(int n) => 1 + Deep(n + 1);",
        "Deep(1); int Deep(int n) { return 1 + Deep(n + 1); }",
        "Func<int, int> f = null; f = n => { return 1 + f(n); }; f(1);",
        "Func<int, int> f = null; f = n => 1 + f(n); f(1);",
        "Func<int, int> f = null; f = delegate(int n) { return 1 + f(n); }; f(1);",
        "Action<int, int> f = null; f = (n, m) => f(n, m + 1); f(1, 2);",
        "while (true) tokens.Add(text, 0, 3, position);",
        "while (true) tokens.Add(default, 0, 0, position);",
    ];

    private static readonly (string Body, int Expected)[] Ending =
    [
        ("return Count(2) + this[1] + Some().Sum();", 9 + 4 + 2),
        ("return (new Pair() + new Pair()) + Twice(2);", 4 + 4),
        ("Nothing(); Other = 1; try { return Fail(); } catch (ArgumentException) { return 5; }", 5),
        ("int[] a = [4]; Act(a)(); return Tree.Compile()(a[0]);", 6),
        ("return new[] { 1, 2 }.Select(n => n + 1).Sum();", 5),
    ];

    private static readonly (string Body, string Message)[] Wrong =
    [
        ("return int.MaxValue;", "gives the position 2147483647, beyond 1073741824"),
        ("tokens.Add(text, 0, 4, 99); return 99;", "or one of the bytes 0 to 4 of 3"),
        ("return Fail();", "failed: mine"),
    ];

    [Fact]
    public void An_analyzer_that_does_not_end_fails()
    {
        using CompiledExtension compiled = Compile([.. Endless.Select(body => body + " return position;")]);
        for (int number = 0; number < Endless.Length; number++)
        {
            ExtensionException failure = Assert.Throws<ExtensionException>(() => Run(compiled, number));
            Assert.Equal(ExtensionProblem.Failed, failure.Problem);
            Assert.StartsWith("The analyzer 'Own' failed: ", failure.Message, StringComparison.Ordinal);
        }
    }

    [Fact]
    public void An_analyzer_that_ends_gives_what_its_code_says()
    {
        using CompiledExtension compiled = Compile([.. Ending.Select(one => one.Body)]);
        Assert.Equal(
            Ending.Select(one => one.Expected), Enumerable.Range(0, Ending.Length).Select(i => Run(compiled, i)));
    }

    [Fact]
    public void An_analyzer_that_throws_or_gives_what_no_index_can_keep_fails()
    {
        using CompiledExtension compiled = Compile([.. Wrong.Select(one => one.Body)]);
        for (int number = 0; number < Wrong.Length; number++)
        {
            ExtensionException failure = Assert.Throws<ExtensionException>(() => Run(compiled, number));
            Assert.Contains(Wrong[number].Message, failure.Message, StringComparison.Ordinal);
        }
    }

    [Fact]
    public void A_constructor_that_does_not_end_is_refused()
    {
        const string code = """
            public class Own : Analyzer
            {
                public Own() { while (true) { } }
                public override string Name => "Own";
                public override int Analyze(ReadOnlySpan<byte> text, TokenBuffer tokens, int position) => 0;
            }
            """;
        ExtensionException failure = Assert.Throws<ExtensionException>(
            () => CompiledExtension.Compile(new ExtensionSource(ExtensionKind.Analyzer, "Own", code)));
        Assert.Contains("the constructor of 'Own' failed: it does not end", failure.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("static async System.Threading.Tasks.Task No() => await No(); return 0;")]
    [InlineData("Func<System.Threading.Tasks.Task> f = async () => { }; return 0;")]
    public void Async_code_is_refused(string body)
    {
        ExtensionException failure = Assert.Throws<ExtensionException>(() => Compile([body]));
        Assert.Equal(ExtensionProblem.Code, failure.Problem);
        Assert.Contains("an analyzer cannot be async", failure.Message, StringComparison.Ordinal);
    }

    /// <summary>A class with a method of each body; the position chooses.</summary>
    private static CompiledExtension Compile(string[] bodies) => CompiledExtension.Compile(new ExtensionSource(
        ExtensionKind.Analyzer, "Own",
        $$"""
        public class Own : Analyzer
        {
            public override string Name => "Own";
            public override int Analyze(ReadOnlySpan<byte> text, TokenBuffer tokens, int position) => position switch
            {
                {{string.Concat(bodies.Select((_, i) => $"{i} => M{i}(text, tokens, position), "))}}
                _ => 0,
            };
            {{string.Concat(bodies.Select((body, i) =>
                $"int M{i}(ReadOnlySpan<byte> text, TokenBuffer tokens, int position) {{ {body} }}\n"))}}
            {{Members}}
        }
        """));

    private static int Run(CompiledExtension compiled, int number) =>
        ((Analyzer)compiled.Instance).Analyze("abc"u8, new TokenBuffer(), number);
}
