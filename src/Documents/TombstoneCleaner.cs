using Raven.Documents.Commands;

namespace Raven.Documents;

//   TOMB-2  A tombstone is kept until every index has seen it, or for as long as the options wait for an index that has
//           stopped; and in any case as long as readers of the feed are promised.

/// <summary>
/// Forgets the deletions of one database that nobody needs any more. Called from outside, without a timer of its own;
/// the time since its last work is measured by time stamps. Any thread.
/// </summary>
#pragma warning disable CA1001 // Without a wait handle the semaphore holds nothing to give back.
public sealed class TombstoneCleaner
#pragma warning restore CA1001
{
    private readonly Database _database;
    private readonly TombstoneOptions _options;
    private readonly TimeProvider _clock;
    private readonly SemaphoreSlim _turn = new(1, 1);
    private long _cleanedAt;

    internal TombstoneCleaner(Database database, TombstoneOptions options, TimeProvider clock)
    {
        _database = database;
        _options = options;
        _clock = clock;
        _cleanedAt = clock.GetTimestamp();
    }

    /// <summary>How many were removed since the database was first used.</summary>
    public long Removed { get; private set; }

    /// <summary>Starts its work in the background, if it is time for that.</summary>
    internal Task RingAsync()
    {
        if (_clock.GetElapsedTime(Volatile.Read(ref _cleanedAt)) < _options.CleanupInterval)
        {
            return Task.CompletedTask;
        }

        Volatile.Write(ref _cleanedAt, _clock.GetTimestamp());
        return Task.Run(async () =>
        {
            try
            {
                // To look is no use of the database: one that is idle is closed all the same.
                if (IsAnyOldIfOpen())
                {
                    await CleanAsync(CancellationToken.None).ConfigureAwait(false);
                }
            }
            catch (Exception e) when (LoadFailures.IsKnown(e) || e is ObjectDisposedException)
            {
                // The database takes no writes now, and each request gets the error; the next call tries again.
            }
        });
    }

    /// <summary>Removes what nobody needs.</summary>
    /// <param name="cancellation">Ends it between two transactions.</param>
    /// <returns>How many tombstones were removed.</returns>
    /// <exception cref="DatabaseDeletedException">The database was deleted.</exception>
    public async Task<long> CleanAsync(CancellationToken cancellation)
    {
        await _turn.WaitAsync(cancellation).ConfigureAwait(false);
        try
        {
            long now = _clock.GetUtcNow().Ticks;
            long seen = SeenEtag(now - _options.Retention.Ticks);
            if (seen < 0)
            {
                return 0;
            }

            var command = new TombstoneCleanCommand(
                seen, now - _options.Retention.Ticks, now - _options.RetentionWithConsumers.Ticks);
            long removed = 0;
            do
            {
                cancellation.ThrowIfCancellationRequested();
                await _database.SubmitAsync(command).ConfigureAwait(false);
                removed += command.Count;
            }
            while (command.IsMore);
            Removed += removed;
            return removed;
        }
        finally
        {
            _turn.Release();
        }
    }

    private bool IsAnyOldIfOpen()
    {
        if (!_database.TryBeginReadIfOpen(out DocumentSnapshot? snapshot))
        {
            return false;
        }

        using (snapshot)
        {
            return IsAnyOld(snapshot, _clock.GetUtcNow().Ticks - _options.Retention.Ticks);
        }
    }

    /// <summary>Whether the oldest tombstone is old enough, or younger than now: the clock was set back then.</summary>
    private bool IsAnyOld(DocumentSnapshot snapshot, long keptTicks)
    {
        TombstoneCursor tombstones = snapshot.TombstonesByEtag(0);
        return tombstones.MoveNext(out StoredTombstone oldest)
            && (oldest.LastModifiedTicks <= keptTicks || oldest.LastModifiedTicks > _clock.GetUtcNow().Ticks);
    }

    /// <summary>The last change that all indexes have seen; -1 if no tombstone is old enough to be removed.</summary>
    private long SeenEtag(long keptTicks)
    {
        DatabaseStorage storage = _database.Enter();
        try
        {
            using (DocumentSnapshot snapshot = _database.BeginRead())
            {
                if (!IsAnyOld(snapshot, keptTicks))
                {
                    return -1;
                }
            }

            return _database.IndexesOrNone?.SeenByAll() ?? long.MaxValue;
        }
        finally
        {
            storage.Release();
        }
    }
}
