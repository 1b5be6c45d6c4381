namespace Raven.Storage.Transactions;

/// <summary>The figures of an environment, each read without a lock: they need not belong to one moment.</summary>
public sealed record StorageStatistics
{
    /// <summary>The last commit that readers see.</summary>
    public required long LastTransactionId { get; init; }

    /// <summary>The last commit that is in the data file.</summary>
    public required long AppliedTransactionId { get; init; }

    /// <summary>Pages that were ever used, including free ones.</summary>
    public required long Pages { get; init; }

    /// <summary>Free pages among them.</summary>
    public required long FreePages { get; init; }

    /// <summary>The length of the data file.</summary>
    public required long DataFileBytes { get; init; }

    /// <summary>The length of all journal files, including those kept for their next use.</summary>
    public required long JournalFileBytes { get; init; }

    /// <summary>The bytes of journal that recovery would read now.</summary>
    public required long JournalBacklogBytes { get; init; }

    /// <summary>Journal files made, and used again, since the open.</summary>
    public required (long Created, long Recycled) JournalFiles { get; init; }

    /// <summary>Scratch memory in changed pages, and taken from the system.</summary>
    public required (long UsedBytes, long CommittedBytes) Scratch { get; init; }

    /// <summary>Open read transactions.</summary>
    public required int Readers { get; init; }

    /// <summary>How long the oldest snapshot has been held, and for what; zero and empty if there is none.</summary>
    public required (TimeSpan Age, string Purpose) OldestReader { get; init; }

    /// <summary>Flushes that ended since the open.</summary>
    public required long Flushes { get; init; }

    /// <summary>The longest time that a flush held the write lock.</summary>
    public required TimeSpan LongestFlushLock { get; init; }

    /// <summary>How long journal writes took, from the request to the published state.</summary>
    public required LatencyHistogram JournalWrites { get; init; }

    /// <summary>All files of the environment.</summary>
    public long SizeOnDiskBytes => DataFileBytes + JournalFileBytes;
}
