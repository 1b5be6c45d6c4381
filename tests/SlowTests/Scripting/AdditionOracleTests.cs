using FastTests.Scripting;

namespace SlowTests.Scripting;

/// <summary>
/// Generated scripts of what the language has besides, in our engine, in a living node, and in Jint, which has what
/// this node has not.
/// </summary>
[Trait(Category.Shard, "scripting-oracle")]
public sealed class AdditionOracleTests
{
    private const int FailuresShown = 10;

    private static readonly int Scripts = int.Parse(
        Environment.GetEnvironmentVariable("DEV_ORACLE_SCRIPTS") ?? "20000", null);

    [Fact]
    public void Generated_scripts_give_what_node_gives()
    {
        const int batch = 1000;
        List<string> failures = [];
        for (int first = 1; first <= Scripts; first += batch)
        {
            string[] scripts = [.. Enumerable.Range(first, batch).Select(seed =>
                new AdditionGenerator(seed, isForJint: false).Generate())];
            Compare(first, scripts, NodeOracle.Run(scripts), failures);
        }

        Assert.True(failures.Count == 0, string.Join("\n\n", failures));
    }

    [Fact]
    public void Generated_scripts_give_what_Jint_gives()
    {
        List<string> failures = [];
        for (int seed = 1; seed <= Scripts / 4; seed++)
        {
            string script = new AdditionGenerator(seed, isForJint: true).Generate();
            Compare(seed, [script], [JintOracle.Run(script)], failures);
        }

        Assert.True(failures.Count == 0, string.Join("\n\n", failures));
    }

    private static void Compare(int first, string[] scripts, string[] theirs, List<string> failures)
    {
        for (int i = 0; i < scripts.Length && failures.Count < FailuresShown; i++)
        {
            string ours = ScriptRunner.Run(scripts[i]);
            if (ours != theirs[i])
            {
                failures.Add($"seed {first + i}\n  ours   {ours}\n  theirs {theirs[i]}\n{scripts[i]}");
            }
        }
    }
}
