using System.Diagnostics;
using System.Security.Cryptography;
using Raven.Storage.Files;
using Raven.Storage.Platform;

namespace Raven.Storage.Options;

/// <summary>How an environment is opened. Checked by the open.</summary>
public sealed record StorageOptions
{

    /// <summary>The folder, which the environment locks while it is open.</summary>
    public required IFileSystem FileSystem { get; init; }

    /// <summary>The clock of waits, snapshot ages and measured times.</summary>
    public TimeProvider Clock { get; init; } = TimeProvider.System;

    /// <summary>Runs flushes and other background work; see <see cref="BackgroundThreads"/>.</summary>
    public IBackgroundScheduler Scheduler { get; init; } = BackgroundThreads.Shared;

    /// <summary>What a commit waits for.</summary>
    public StorageDurability Durability { get; init; } = StorageDurability.Durable;

    /// <summary>
    /// The id of an environment that is created; it seeds the checksums. An existing one keeps its own.
    /// </summary>
    public ulong NewEnvironmentId { get; init; } = BitConverter.ToUInt64(RandomNumberGenerator.GetBytes(8));

    /// <summary>The length of the first journal file; each new one is twice as long as the one before.</summary>
    public long JournalSizeBytesMin { get; init; } = 64L << 10;

    /// <summary>The length up to which journal files grow; a larger transaction gets a file of its own.</summary>
    public long JournalSizeBytesMax { get; init; } = 64L << 20;

    /// <summary>Which journal records are packed by LZ4.</summary>
    public JournalCompression JournalCompression { get; init; } = JournalCompression.Adaptive;

    /// <summary>
    /// The bytes of journal since the last flush at which the next one begins; large records that
    /// <see cref="Options.JournalCompression.Adaptive"/> leaves plain count half.
    /// </summary>
    public long FlushAfterBytes { get; init; } = 128L << 20;

    /// <summary>
    /// While writers keep committing, a flush that is due is put off until so many bytes of journal were written since
    /// the last; if they pause for 50 ms it begins. <see cref="FlushAfterScratchBytes"/> still bounds the memory. Not
    /// put off if this is no more than <see cref="FlushAfterBytes"/>.
    /// </summary>
    public long FlushDeferredBytesMax { get; init; }

    /// <summary>
    /// The scratch memory in use at which a flush begins; an eighth of the budget if that is less, and an eighth of
    /// that while all environments together use half of the budget.
    /// </summary>
    public long FlushAfterScratchBytes { get; init; } = 1L << 30;

    /// <summary>
    /// The bytes of journal kept for recovery from which writers wait for the flush: this bounds the time to open.
    /// </summary>
    public long BacklogBytesMax { get; init; } = 1L << 30;

    /// <summary>
    /// The bytes of journal files that wait until they are archived; beyond them the archive is given up until the next
    /// backup.
    /// </summary>
    public long ArchiveBytesMax { get; init; } = 1L << 30;

    /// <summary>The bound on scratch memory, shared by all environments of the process.</summary>
    public ScratchBudget ScratchBudget { get; init; } = ScratchBudget.Shared;

    /// <summary>
    /// The bytes of pages that one transaction may change and make, which are in scratch memory until it ends; with
    /// more it fails, as it does beyond <see cref="ScratchBudget.CeilingBytes"/>. Unless it is set: as many as
    /// <see cref="ScratchBudget"/> has, but 128 MB at least.
    /// </summary>
    public long TransactionBytesMax
    {
        get => field > 0 ? field : ScratchBudget.LargestTransactionBytes;
        init;
    }

    /// <summary>
    /// How long a reader may hold a snapshot that a flush waits for; a third of <see cref="WriterWaitMax"/> while
    /// writers wait for scratch memory.
    /// </summary>
    public TimeSpan SnapshotAgeMax { get; init; } = TimeSpan.FromSeconds(60);

    /// <summary>The bytes of journal that a reader may hold back.</summary>
    public long SnapshotBacklogBytesMax { get; init; } = 256L << 20;

    /// <summary>
    /// How long a writer waits for memory or journal before <see cref="Errors.StorageBusyException"/> is thrown.
    /// </summary>
    public TimeSpan WriterWaitMax { get; init; } = TimeSpan.FromSeconds(15);

    /// <summary>
    /// Audits the whole state that each commit makes, before it is written: page owners, keys, counts, and that no page
    /// changed outside of a transaction. What is found is a mistake of the storage itself: the commit fails with it,
    /// and writes are refused until the environment is reopened. Costs about 1 us for each page that it looks at, 12 of
    /// them a commit in the fast tests, and 136 bytes of memory a page. On in debug builds, off in release builds.
    /// </summary>
#if DEBUG
    public bool AuditsCommits { get; init; } = true;
#else
    public bool AuditsCommits { get; init; }
#endif

    /// <summary>
    /// The last transaction that an open recovers: what follows it in the journal is given up, as nodes of a group have
    /// agreed that it was not committed. Null for all that is there.
    /// </summary>
    public long? RecoverUpTo { get; init; }

    /// <summary>Makes a span of each commit; null for none, which costs nothing.</summary>
    public ActivitySource? Activities { get; init; }

    /// <summary>Receives events for operators; called on any thread, must not call back into the environment.</summary>
    public Action<StorageEvent> OnEvent { get; init; } = _ => { };

    /// <summary>
    /// Opens a damaged journal with the records before the damage, which otherwise makes the open fail: the
    /// last resort.
    /// </summary>
    internal bool KeepsWhatPrecedesDamage { get; init; }

    /// <summary>If no commit waits for the medium, the time of a write says nothing about the disk.</summary>
    internal JournalCompression EffectiveCompression =>
        Durability == StorageDurability.Durable || JournalCompression != JournalCompression.Adaptive
            ? JournalCompression
            : JournalCompression.Always;

    /// <summary>The bytes of journal that a recovery reads between two progress reports.</summary>
    internal long RecoveryProgressBytes { get; init; } = 256L << 20;

    internal StorageHooks Hooks { get; init; } = StorageHooks.Off;

    /// <summary>Reports an event. An exception of the receiver is swallowed: the caller may hold a lock.</summary>
    internal void Report(bool isWarning, string message)
    {
        try
        {
            OnEvent(new StorageEvent(isWarning, $"{FileSystem.Description}: {message}"));
        }
        catch (Exception)
        {
            // No other receiver could be notified.
        }
    }

    internal void Validate()
    {
        ArgumentNullException.ThrowIfNull(FileSystem);
        Check(JournalSizeBytesMin >= 16384 && JournalSizeBytesMin % 4096 == 0, nameof(JournalSizeBytesMin));
        Check(
            JournalSizeBytesMax >= JournalSizeBytesMin && JournalSizeBytesMax % 4096 == 0, nameof(JournalSizeBytesMax));
        Check(Enum.IsDefined(JournalCompression), nameof(JournalCompression));
        Check(FlushAfterBytes > 0, nameof(FlushAfterBytes));
        Check(FlushAfterScratchBytes > 0, nameof(FlushAfterScratchBytes));
        Check(BacklogBytesMax >= FlushAfterBytes, nameof(BacklogBytesMax));
        Check(FlushDeferredBytesMax >= 0 && FlushDeferredBytesMax <= BacklogBytesMax, nameof(FlushDeferredBytesMax));
        Check(ArchiveBytesMax >= 0, nameof(ArchiveBytesMax));
        Check(SnapshotAgeMax > TimeSpan.Zero, nameof(SnapshotAgeMax));
    }

    private static void Check(bool isGood, string name)
    {
        if (!isGood)
        {
            throw new ArgumentException($"{nameof(StorageOptions)}.{name} is out of its range.", name);
        }
    }
}
