namespace Raven.Tools.Bench;

/// <summary>One line of the table: how to measure ours and the peer once, and what the medians must reach.</summary>
public sealed record BenchRow
{
    /// <summary>What is measured, in the words a reader of the table needs.</summary>
    public required string Name { get; init; }

    /// <summary>The unit of both figures: <c>MB/s</c>, <c>ns</c>, <c>B/op</c>, <c>requests/s</c>.</summary>
    public required string Unit { get; init; }

    /// <summary>The name of the peer: <c>liblz4</c>, <c>bare Kestrel</c>; empty without one.</summary>
    public string PeerName { get; init; } = "";

    /// <summary>What must be reached.</summary>
    public BenchTarget Target { get; init; } = BenchTarget.None;

    /// <summary>
    /// One measured run of ours, in the unit. May throw: the row is then a failure with that message.
    /// </summary>
    public Func<double>? Ours { get; init; }

    /// <summary>One measured run of the peer, in the unit; null for an absolute row.</summary>
    public Func<double>? Peer { get; init; }

    /// <summary>Runs of each side that are made and thrown away first (the JIT, the caches of the processor).</summary>
    public int WarmUpRuns { get; init; } = 2;

    /// <summary>How often each side is measured at most; the command line may ask for fewer.</summary>
    public int? Runs { get; init; }

    /// <summary>How many runs were made already: the figures of all of them are taken. 0 if it measures.</summary>
    public int RunsMade { get; init; }

    /// <summary>Why nothing is measured (a peer or a data set is not there); null otherwise.</summary>
    public string? Skipped { get; init; }

    /// <summary>A row that could not be measured here, and why.</summary>
    public static BenchRow Skip(string name, string unit, string why) =>
        new() { Name = name, Unit = unit, Skipped = why };
}
