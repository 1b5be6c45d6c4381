using System.Diagnostics;
using Raven.Documents.Indexing.Definitions;

namespace Raven.Documents.Indexing;

/// <summary>The options of all indexes of a server.</summary>
public sealed record IndexingOptions
{
    /// <summary>
    /// The most threads that index at one time, 0 for half of the cores; idle indexes have none. Less than 0 is for
    /// tests: no thread at all, the test runs the batches.
    /// </summary>
    public int ThreadsMax { get; init; }

    /// <summary>Makes a span of each batch; null for none.</summary>
    public ActivitySource? Activities { get; init; }

    /// <summary>The most documents of one batch.</summary>
    public int BatchDocumentsMax { get; init; } = 50_000;

    /// <summary>The engine of new indexes whose definitions name none.</summary>
    public IndexEngine StaticEngine { get; init; }

    /// <summary>The engine of new automatic indexes.</summary>
    public IndexEngine AutoEngine { get; init; }

    /// <summary>The time after which a batch is committed.</summary>
    public TimeSpan BatchTimeMax { get; init; } = TimeSpan.FromMilliseconds(500);

    /// <summary>How often a database that changes all the time is checked; the changes since then are
    /// a batch.</summary>
    internal TimeSpan PollInterval { get; init; } = TimeSpan.FromMilliseconds(5);

    /// <summary>How long a query waits for its index by default.</summary>
    public TimeSpan StaleWaitMax { get; init; } = TimeSpan.FromSeconds(15);

    /// <summary>The time without queries after which an automatic index is idle.</summary>
    public TimeSpan AutoIdleAfter { get; init; } = TimeSpan.FromMinutes(30);

    /// <summary>The time without queries after which an automatic index is deleted.</summary>
    public TimeSpan AutoDeleteAfter { get; init; } = TimeSpan.FromHours(72);

    /// <summary>The most indexes that queries make in one database.</summary>
    public int AutoIndexesMax { get; init; } = 512;

    /// <summary>How many documents are indexed before the share of failures is checked.</summary>
    public int AttemptsMin { get; init; } = 100;

    /// <summary>The share of documents that may fail.</summary>
    public double FailureShareMax { get; init; } = 0.15;

    /// <summary>How many failures of an index are kept.</summary>
    public int FailuresKept { get; init; } = 500;

    /// <summary>For tests: called by a query that has waited for its index, before it holds its files.</summary>
    internal Action? BetweenWaitAndRead { get; init; }

    /// <summary>Whether so many documents failed that the index must stop.</summary>
    internal bool ExceedsErrorRate(long attempts, long failures) =>
        attempts >= AttemptsMin && failures > attempts * FailureShareMax;
}
