namespace Shared.Cluster;

/// <summary>What a run of the model has found: the states that it reached, and what is wrong in the last one.</summary>
/// <param name="States">How many states there are, or were when it ended.</param>
/// <param name="Violation">What is wrong; null if nothing is.</param>
/// <param name="Trace">The steps that lead there.</param>
internal sealed record ModelResult(int States, string? Violation, string Trace)
{
    public override string ToString() =>
        Violation is null ? $"no violation in {States} states" : $"{Violation}, after {States} states: {Trace}";
}
