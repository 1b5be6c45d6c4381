using Raven.Storage.Platform;

namespace Raven.Storage.Paging;

/// <summary>
/// The bound on scratch memory that all environments of a process share. A writer that begins while it is used up
/// waits for the background flush to give some back. Any thread.
/// </summary>
public sealed class ScratchBudget
{
    private long _usedBytes;

    /// <summary>Makes a budget.</summary>
    /// <param name="sizeBytesMax">The bytes from which writers wait.</param>
    public ScratchBudget(long sizeBytesMax)
    {
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(sizeBytesMax);
        SizeBytesMax = sizeBytesMax;
    }

    /// <summary>The budget of a process that sets none: a quarter of the memory it may use.</summary>
    public static ScratchBudget Shared { get; } =
        new(Math.Max(64L << 20, GC.GetGCMemoryInfo().TotalAvailableMemoryBytes / 4));

    /// <summary>
    /// Gives scratch memory that no environment of the process holds back to the system; for a process that is short of
    /// it. What is idle may otherwise stay, at most an eighth of <see cref="Shared"/> and 256 MB. Any thread.
    /// </summary>
    public static void GiveIdleMemoryBack() => ScratchSegments.Shared.Trim();

    /// <summary>The bytes from which writers wait.</summary>
    public long SizeBytesMax { get; }

    /// <summary>The bytes taken from the system now.</summary>
    public long UsedBytes => Volatile.Read(ref _usedBytes);

    /// <summary>True where a writer should wait.</summary>
    internal bool IsUsedUp => UsedBytes >= SizeBytesMax;

    internal void Add(long bytes) => Interlocked.Add(ref _usedBytes, bytes);
}
