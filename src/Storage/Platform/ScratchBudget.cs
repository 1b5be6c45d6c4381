using Raven.Storage.Options;


namespace Raven.Storage.Platform;

/// <summary>
/// The bound on scratch memory that all environments of a process share. While it is used up, a new writer waits for
/// the background flush to free some; an open one may continue, up to a shared ceiling. Any thread.
/// </summary>
public sealed class ScratchBudget
{
    private const long TransactionBytesMin = 128L << 20;

    private long _usedBytes;

    /// <summary>Makes a budget with this bound.</summary>
    /// <param name="sizeBytesMax">The bytes from which writers wait.</param>
    public ScratchBudget(long sizeBytesMax)
    {
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(sizeBytesMax);
        SizeBytesMax = sizeBytesMax;
        LargestTransactionBytes = Math.Max(TransactionBytesMin, sizeBytesMax);
    }

    /// <summary>The budget of a process that sets none: a quarter of the memory it may use.</summary>
    public static ScratchBudget Shared { get; } =
        new(Math.Max(64L << 20, GC.GetGCMemoryInfo().TotalAvailableMemoryBytes / 4));

    /// <summary>
    /// Returns scratch memory that no environment of the process holds to the system; for a process that is short of
    /// memory. Otherwise idle memory may stay, at most an eighth of <see cref="Shared"/> and 256 MB. Any thread.
    /// </summary>
    public static void GiveIdleMemoryBack() => ScratchSegments.Shared.Trim();

    /// <summary>The bytes from which writers wait.</summary>
    public long SizeBytesMax { get; }

    /// <summary>
    /// The bytes of one transaction, unless <see cref="StorageOptions.TransactionBytesMax"/> sets another number: as
    /// many as the budget has, but at least 128 MB.
    /// </summary>
    internal long LargestTransactionBytes { get; init; }

    /// <summary>
    /// The bytes that are never exceeded, except for 4 MB of each environment: the bytes from which writers wait, and
    /// one transaction that had begun before. A request for a page beyond them is refused.
    /// </summary>
    public long CeilingBytes => SizeBytesMax + LargestTransactionBytes;

    /// <summary>The bytes taken from the system now.</summary>
    public long UsedBytes => Volatile.Read(ref _usedBytes);

    /// <summary>True if a writer should wait.</summary>
    internal bool IsUsedUp => UsedBytes >= SizeBytesMax;

    /// <summary>True if so many bytes may still be taken by a transaction that is open.</summary>
    internal bool HasRoomFor(long bytes) => bytes == 0 || UsedBytes + bytes <= CeilingBytes;

    internal void Add(long bytes) => Interlocked.Add(ref _usedBytes, bytes);
}
