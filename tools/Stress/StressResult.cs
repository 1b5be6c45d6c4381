namespace Raven.Tools.Stress;

/// <summary>What a run found.</summary>
/// <param name="Rounds">Rounds that were finished.</param>
/// <param name="Acknowledged">Writes that the server acknowledged, over all rounds.</param>
/// <param name="Checked">Documents that were compared after restarts.</param>
/// <param name="SlowestStart">The longest start.</param>
/// <param name="Problems">Every broken promise, with the round; empty if all is well.</param>
public sealed record StressResult(
    int Rounds, long Acknowledged, long Checked, ServerStart SlowestStart, IReadOnlyList<string> Problems)
{
    /// <summary>Queries that were compared with all documents.</summary>
    public long Asked { get; init; }

    /// <summary>Queries that were answered while everything was written.</summary>
    public long AskedMeanwhile { get; init; }

    /// <summary>
    /// Starts that took longer than their journals allow, on a machine with too much to do; on another one such a
    /// start is a broken promise.
    /// </summary>
    public IReadOnlyList<string> SlowStarts { get; init; } = [];

    /// <summary>Rounds with many databases and a limit of the heap.</summary>
    public int CrowdedRounds { get; init; }
}
