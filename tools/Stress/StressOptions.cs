namespace Raven.Tools.Stress;

/// <summary>What a run does. The seed decides everything but the timing.</summary>
public sealed record StressOptions
{
    /// <summary>The server: an executable, or a .dll that <c>dotnet</c> runs.</summary>
    public required string ServerPath { get; init; }

    /// <summary>The data folder of the server under test; kept over all rounds.</summary>
    public required string DataDirectory { get; init; }

    /// <summary>The random choices.</summary>
    public int Seed { get; init; } = 1;

    /// <summary>How many times the server is killed.</summary>
    public int Rounds { get; init; } = 50;

    /// <summary>Clients that write beside the import.</summary>
    public int Writers { get; init; } = 8;

    /// <summary>
    /// Whether they do more than write documents: patches, attachments, counters and compare-exchange values.
    /// </summary>
    public bool IsMixed { get; init; }

    /// <summary>
    /// How many random queries are compared with all documents after each restart; 0 for a run without indexes.
    /// </summary>
    public int Queries { get; init; }

    /// <summary>The engine that keeps the indexes, by its name in the options of the server; null for the server's
    /// own.</summary>
    public string? Engine { get; init; }

    /// <summary>
    /// In half of the rounds the writers are spread over so many more databases, each with an index, and the heap has
    /// a limit; 0 for none.
    /// </summary>
    public int Databases { get; init; } = 20;

    /// <summary>What the managed heap of the server may take in the rounds of many databases.</summary>
    public long HeapBytesMax { get; init; } = 0x10000000;

    /// <summary>Whether the server speaks https and asks the writers for a certificate.</summary>
    public bool IsSecured { get; init; }

    /// <summary>Acknowledged writes before a kill may come.</summary>
    public int AcknowledgementsMin { get; init; } = 1000;

    /// <summary>
    /// Faults that strace injects into the server instead of a kill from outside: for each round the next one, its
    /// <c>{n}</c> replaced by a random count, its <c>{few}</c> by a small one. Empty for the kill mode.
    /// </summary>
    public IReadOnlyList<string> Injections { get; init; } = [];

    /// <summary>How long a round may take until its acknowledgements are there, and a start until it serves.</summary>
    public TimeSpan Patience { get; init; } = TimeSpan.FromSeconds(90);
}
