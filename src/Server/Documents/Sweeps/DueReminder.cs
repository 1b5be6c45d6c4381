using Raven.Storage.Transactions;

namespace Raven.Server.Documents.Sweeps;

/// <summary>
/// When a database that is closed has to be opened for what it does by itself. What is remembered outlives the process:
/// while the database is open it is 0 (not known) wherever there may be something, so that a crash loses nothing, and
/// neither does an end at which nothing can be written. Any thread.
/// </summary>
internal sealed class DueReminder(DatabaseOptions options)
{
    private static readonly TimeSpan RetryInterval = TimeSpan.FromMinutes(1);

    private long _nextTicks = options.NextDueTicks;
    private long _rememberedTicks = options.NextDueTicks;
    private long _openedAt;
    private volatile bool _isOpening;

    /// <summary>True where the time has come.</summary>
    internal bool IsDue(DateTimeOffset now) => now.UtcTicks >= Volatile.Read(ref _nextTicks)
        && (!_isOpening || options.Clock.GetElapsedTime(Volatile.Read(ref _openedAt)) >= RetryInterval);

    /// <summary>It is being opened: where that fails, it is tried again in a minute, whatever the clock is set to
    /// meanwhile.</summary>
    internal void BeginOpening()
    {
        Volatile.Write(ref _openedAt, options.Clock.GetTimestamp());
        _isOpening = true;
    }

    /// <summary>There may be something: durable when this returns.</summary>
    internal void RememberUnknown() => Remember(0);

    /// <summary>The database is about to be closed: from its contents it is known when it has to be opened.</summary>
    internal void RememberNext(DatabaseStorage storage)
    {
        long next = 0;
        try
        {
            using (ReadTransaction transaction = storage.Environment.BeginRead())
            {
                next = DueTimes.Next(transaction, storage.Writer.Settings);
            }

            Remember(next);
        }
        catch (Exception e) when (LoadFailures.IsKnown(e) || e is ObjectDisposedException)
        {
            // Damage, or a catalog that takes no writes. What is remembered stays: too early at worst.
        }

        Volatile.Write(ref _nextTicks, next);
        _isOpening = false;
    }

    private void Remember(long ticks)
    {
        if (Volatile.Read(ref _rememberedTicks) != ticks)
        {
            options.RememberDue(ticks);
            Volatile.Write(ref _rememberedTicks, ticks);
        }
    }
}
