using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace FastTests.Architecture;

/// <summary>
/// A fast test that bounds a duration fails if the machine is busy, and proves nothing about the product then. The
/// alternatives are in <c>Support/Cost.cs</c> and <c>Support/Deadline.cs</c>, which alone read the clock.
/// </summary>
public sealed class WallClockTests
{
    private const string Remedy =
        "A busy machine makes it red, or it makes the suite slow. Count what is done or what that allocates, compare "
        + "two costs of one run (Cost), let a clock of the test's own go on, or wait by Deadline for what only a hang "
        + "keeps.";

    /// <summary>What is over after minutes hangs: the examples of the docs say so.</summary>
    private const string Minutes = "TimeSpan.FromMinutes(";

    private static readonly string[] Sleeps = ["Sleep", "Delay"];

    private static readonly string[] Waits =
    [
        "Wait", "WaitAsync", "WaitOne", "Join", "SignalAndWait", "SpinUntil", "WaitForExit", "WaitForCompletion",
        "WaitForCompletionAsync", "TryEnter", "CancelAfter",
    ];

    /// <summary>What is found names one of these.</summary>
    private static readonly string[] Names =
    [
        "Stopwatch", "TickCount64", "GetTimestamp", "GetElapsedTime", "UtcNow", nameof(CancellationTokenSource),
        .. Sleeps, .. Waits,
    ];

    [Fact]
    [Trait("Fault", "B16")]
    public void No_fast_test_measures_the_machine()
    {
        string[] found =
        [
            .. from file in SourceTree.Files
               where file.IsIn("tests/FastTests/") && !file.IsIn("tests/FastTests/Support/")
                   && !file.IsIn("tests/FastTests/Architecture/") && file.Mentions(Names)
               from finding in Find(file)
               select finding,
        ];
        Assert.True(
            found.Length == 0, string.Join(Environment.NewLine, [.. found.Order(StringComparer.Ordinal), Remedy]));
    }

    [Fact]
    [Trait("Fault", "B16")]
    public void What_compares_times_is_alone_in_the_process()
    {
        SourceFile[] files = [.. SourceTree.Files.Where(file =>
            file.IsIn("tests/FastTests/") && !file.IsIn("tests/FastTests/Architecture/")
            && file.Mentions("Cost.AssertTime("))];
        Assert.NotEmpty(files);
        Assert.All(files, file => Assert.True(file.Mentions("[Collection(Alone.Name)]"), file.Path));
    }

    [Theory]
    [Trait("Fault", "B16")]
    [InlineData("var watch = Stopwatch.StartNew();", true)]
    [InlineData("long ticks = 5 * Stopwatch.Frequency;", false)]
    [InlineData("long now = Environment.TickCount64;", true)]
    [InlineData("int seed = Environment.TickCount;", false)]
    [InlineData("long start = TimeProvider.System.GetTimestamp();", true)]
    [InlineData("long start = clock.GetTimestamp();", false)]
    [InlineData("Assert.True(DateTime.UtcNow - before < limit);", true)]
    [InlineData("string time = DateTime.UtcNow.ToString();", false)]
    [InlineData("Thread.Sleep(20);", true)]
    [InlineData("await Task.Delay(pause);", true)]
    [InlineData("await task.WaitAsync(TimeSpan.FromSeconds(5));", true)]
    [InlineData("await task.WaitAsync(Deadline.Hang);", false)]
    [InlineData("await task.WaitAsync(TimeSpan.FromMinutes(1));", false)]
    [InlineData("await watch.WaitAsync(seen => seen.Count == 1);", false)]
    [InlineData("Assert.True(done.Wait(500));", true)]
    [InlineData("done.Wait(token);", false)]
    [InlineData("thread.Join(1000);", true)]
    [InlineData("string.Join(1, 2);", false)]
    [InlineData("SpinWait.SpinUntil(() => count == 5, 10_000);", true)]
    [InlineData("source.CancelAfter(100);", true)]
    [InlineData("using var source = new CancellationTokenSource(100);", true)]
    [InlineData("using CancellationTokenSource source = new(TimeSpan.FromSeconds(1));", true)]
    [InlineData("using var source = new CancellationTokenSource(Deadline.Grace);", false)]
    [InlineData("using CancellationTokenSource source = new();", false)]
    public void A_statement_that_measures_the_machine_is_found(string statement, bool isRefused) =>
        Assert.Equal(isRefused, Find(new SourceFile("a.cs", $"class A {{ async void M() {{ {statement} }} }}")).Any());

    private static IEnumerable<string> Find(SourceFile file) =>
        from node in file.Syntax.DescendantNodes()
        where Measures(node)
        select $"{file.Path}:{node.GetLocation().GetLineSpan().StartLinePosition.Line + 1}: {node}";

    private static bool Measures(SyntaxNode node) => node switch
    {
        MemberAccessExpressionSyntax { Expression: var of, Name.Identifier.Text: var name } =>
            (of is IdentifierNameSyntax { Identifier.Text: "Stopwatch" } && name != "Frequency")
            || name == "TickCount64"
            || (name is "GetTimestamp" or "GetElapsedTime" && of.ToString() == "TimeProvider.System")
            || (name == "UtcNow" && node.Ancestors().OfType<InvocationExpressionSyntax>().Any(IsAssertion)),
        InvocationExpressionSyntax { Expression: MemberAccessExpressionSyntax called }
            when Sleeps.Contains(called.Name.Identifier.Text) && called.ToString() is "Thread.Sleep" or "Task.Delay" =>
            true,
        InvocationExpressionSyntax { Expression: MemberAccessExpressionSyntax called } call =>
            Waits.Contains(called.Name.Identifier.Text) && called.Expression.ToString() != "string"
            && call.ArgumentList.Arguments.Any(IsTime),
        BaseObjectCreationExpressionSyntax { ArgumentList.Arguments: { Count: > 0 } arguments } made =>
            TypeOf(made) == nameof(CancellationTokenSource)
            && !arguments[0].ToString().StartsWith("Deadline.", StringComparison.Ordinal),
        _ => false,
    };

    private static bool IsAssertion(InvocationExpressionSyntax call) =>
        call.Expression.ToString().StartsWith("Assert.", StringComparison.Ordinal);

    private static bool IsTime(ArgumentSyntax argument) =>
        argument.Expression is LiteralExpressionSyntax { RawKind: (int)SyntaxKind.NumericLiteralExpression }
        || (argument.Expression.ToString() is var text && text.StartsWith("TimeSpan.", StringComparison.Ordinal)
            && !text.StartsWith(Minutes, StringComparison.Ordinal));

    private static string? TypeOf(BaseObjectCreationExpressionSyntax made) => made switch
    {
        ObjectCreationExpressionSyntax named => named.Type.ToString(),
        { Parent.Parent.Parent: VariableDeclarationSyntax declared } => declared.Type.ToString(),
        _ => null,
    };
}
