using FastTests.Support;

namespace FastTests.Storage.Trees;

[Trait(Proof.Row, Proof.Models)]
public sealed class EnvironmentModelTests
{
    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(4)]
    public void An_environment_equals_its_model_over_commits_rollbacks_flushes_and_opens(int seed)
    {
        using var model = new EnvironmentModel(seed);
        model.Run(transactions: 30, operationsMax: 120);
        Assert.InRange(model.Steps, 1, 30 * 120);
    }
}
