namespace Raven.Tools.Stress;

/// <summary>What a run found.</summary>
/// <param name="Rounds">Rounds that were finished.</param>
/// <param name="Acknowledged">Writes that the server acknowledged, over all rounds.</param>
/// <param name="Checked">Documents that were compared after restarts.</param>
/// <param name="SlowestStart">The longest time from start to serving.</param>
/// <param name="Problems">Every broken promise, with the round; empty if all is well.</param>
public sealed record StressResult(
    int Rounds, long Acknowledged, long Checked, TimeSpan SlowestStart, IReadOnlyList<string> Problems)
{
    /// <summary>Queries that were compared with all documents.</summary>
    public long Asked { get; init; }

    /// <summary>Queries that were answered while everything was written.</summary>
    public long AskedMeanwhile { get; init; }
}
