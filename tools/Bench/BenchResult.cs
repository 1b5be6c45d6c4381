namespace Raven.Tools.Bench;

/// <summary>The medians of a row and the verdict.</summary>
/// <param name="Row">What was measured.</param>
/// <param name="Ours">Median of our runs; null if skipped or failed.</param>
/// <param name="Peer">Median of the peer's runs; null without a peer.</param>
/// <param name="SpreadPercent">(largest - smallest) / median of our runs, in percent: how far to trust the
/// figure.</param>
/// <param name="Failure">The message of the exception that ended the row, if one did.</param>
public sealed record BenchResult(BenchRow Row, double? Ours, double? Peer, double SpreadPercent, string? Failure)
{
    /// <summary>Writes of 4 KB that the disk made durable a second, just before; null if it matters not.</summary>
    public double? DiskWrites { get; init; }

    /// <summary>ours / peer.</summary>
    public double? Ratio => Ours is { } ours && Peer is { } peer && peer != 0 ? ours / peer : null;

    /// <summary>Whether the target is reached; null for rows without one, false for a failed row.</summary>
    public bool? Met => Failure is not null ? false : Ours is { } ours ? Row.Target.IsMet(ours, Ratio) : null;
}
