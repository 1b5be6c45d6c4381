namespace FastTests.Scripting;

/// <summary>Generated scripts give what node gave.</summary>
public sealed class OracleTests
{
    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    public void Generated_scripts_give_what_node_gave(int half)
    {
        string[] answers = NodeAnswers.Read();
        Assert.Equal(NodeAnswers.Count, answers.Length);
        List<string> failures = [];
        for (int seed = 1 + half; seed <= answers.Length; seed += 2)
        {
            string script = new ScriptGenerator(seed).Generate();
            string? ours = ScriptRunner.TryRunWithinLimits(script);
            if (ours is not null && NodeAnswers.Normalize(ours) != NodeAnswers.Normalize(answers[seed - 1]))
            {
                failures.Add($"seed {seed}\n  ours {ours}\n  node {answers[seed - 1]}");
            }
        }

        Assert.True(failures.Count == 0, string.Join('\n', failures.Take(5)));
    }
}
