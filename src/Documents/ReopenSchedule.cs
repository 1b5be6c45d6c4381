using Raven.Documents.Rows.Series;
using Raven.Documents.Sweeps;
using Raven.Storage.Transactions;

namespace Raven.Documents;

/// <summary>
/// When a closed database has to be opened for expiration and refresh. The time outlives the process: while the
/// database is open it is 0 (not known) if anything may be due, so that nothing is lost by a crash, or by a closing
/// that can write nothing. Any thread.
/// </summary>
internal sealed class ReopenSchedule(DatabaseOptions options)
{
    private static readonly TimeSpan RetryInterval = TimeSpan.FromMinutes(1);

    private long _nextTicks = options.NextDueTicks;
    private long _storedTicks = options.NextDueTicks;
    private long _openedAt;
    private volatile bool _isOpening;

    /// <summary>True if the database has to be opened now.</summary>
    internal bool IsDue(DateTimeOffset now) => now.UtcTicks >= Volatile.Read(ref _nextTicks)
        && (!_isOpening || options.Clock.GetElapsedTime(Volatile.Read(ref _openedAt)) >= RetryInterval);

    /// <summary>Notes that it is being opened: if that fails, it is tried again in a minute, whatever the clock is set
    /// to meanwhile.</summary>
    internal void BeginOpening()
    {
        Volatile.Write(ref _openedAt, options.Clock.GetTimestamp());
        _isOpening = true;
    }

    /// <summary>Remembers that something may be due: durable when this returns.</summary>
    internal void StoreUnknown() => Remember(0);

    /// <summary>Remembers the next due time of a database that is about to be closed, from its contents.</summary>
    internal void StoreNext(DatabaseStorage storage)
    {
        long next = 0;
        try
        {
            using (ReadTransaction transaction = storage.Environment.BeginRead())
            {
                next = Math.Min(
                    DueTimes.Next(transaction, storage.Writer.Settings),
                    SeriesRollups.NextDueTicks(transaction, storage.Writer.Settings));
            }

            Remember(next);
        }
        catch (Exception e) when (LoadFailures.IsKnown(e) || e is ObjectDisposedException)
        {
            // Damage, or a catalog that takes no writes. The time that was remembered stays: it is too early at worst.
        }

        Volatile.Write(ref _nextTicks, next);
        _isOpening = false;
    }

    private void Remember(long ticks)
    {
        if (Volatile.Read(ref _storedTicks) != ticks)
        {
            options.StoreNextDue(ticks);
            Volatile.Write(ref _storedTicks, ticks);
        }
    }
}
