using System.Globalization;

namespace Raven.Tools.Stress.Histories;

/// <summary>What a history came to.</summary>
/// <param name="Seed">Its seed.</param>
/// <param name="Problems">What is wrong; empty if nothing is.</param>
/// <param name="Done">Transactions that were done.</param>
/// <param name="Perhaps">Those of which nobody knows.</param>
/// <param name="Faults">What was done to the cluster.</param>
/// <param name="Answers">How many answers of each kind there were.</param>
/// <param name="HasNetwork">Whether each process had a network of its own, so that it could be cut.</param>
internal sealed record HistoryResult(
    int Seed, IReadOnlyList<string> Problems, int Done, int Perhaps, int Faults, IReadOnlyList<string> Answers,
    bool HasNetwork)
{
    /// <inheritdoc/>
    public override string ToString()
    {
        string found = Problems.Count == 0
            ? "right"
            : $"BROKEN{Environment.NewLine}{string.Join(Environment.NewLine, Problems)}";
        return string.Create(
            CultureInfo.InvariantCulture,
            $"seed {Seed}: {Done} done, {Perhaps} perhaps, {Faults} faults{(HasNetwork ? "" : " without cuts")} ")
            + $"({string.Join(", ", Answers)}): {found}";
    }
}
