using Microsoft.Extensions.Logging;

namespace Raven.Server.Documents;

/// <summary>What is done for all databases now and then, on threads of timers. Any thread.</summary>
internal sealed class CatalogUpkeep : IDisposable
{
    /// <summary>How many closed databases are opened in one look for what is due.</summary>
    private const int OpenedAtOnceMax = 2;

    private static readonly TimeSpan SweepInterval = TimeSpan.FromSeconds(1);

    private readonly IEnumerable<Database> _databases;
    private readonly TimeProvider _clock;
    private readonly ILogger _log;
    private readonly ITimer _idleTimer;
    private readonly ITimer _sweepTimer;

    /// <summary>Begins.</summary>
    /// <param name="databases">All databases, whenever that is asked; safe for all threads.</param>
    /// <param name="clock">The clock.</param>
    /// <param name="idleTimeMax">How long a database may be open that nobody uses.</param>
    /// <param name="log">Where failures go.</param>
    internal CatalogUpkeep(IEnumerable<Database> databases, TimeProvider clock, TimeSpan idleTimeMax, ILogger log)
    {
        _databases = databases;
        _clock = clock;
        _log = log;
        _idleTimer = clock.CreateTimer(
            state => ((CatalogUpkeep)state!).CloseIdle(), this, idleTimeMax, idleTimeMax);
        _sweepTimer = clock.CreateTimer(
            state => ((CatalogUpkeep)state!).Sweep(), this, SweepInterval, SweepInterval);
    }

    /// <summary>Closes the databases that nobody used since the last time that this was asked.</summary>
    internal void CloseIdle()
    {
        foreach (Database database in _databases)
        {
            Try(database, static one => one.CloseIfIdle());
        }
    }

    /// <summary>
    /// Has open databases and their indexes give memory back that waits for the data file, or for the next batch.
    /// </summary>
    /// <param name="hasIndexes">Whether the databases were made with indexing.</param>
    internal void GiveIdleMemoryBack(bool hasIndexes)
    {
        foreach (Database database in _databases)
        {
            Try(database, one =>
            {
                if (one.TryEnter(out DatabaseStorage? storage))
                {
                    try
                    {
                        _ = storage.Environment.Flush();
                        if (hasIndexes)
                        {
                            one.Indexes.GiveIdleMemoryBack();
                        }
                    }
                    finally
                    {
                        storage.Release();
                    }
                }
            });
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _idleTimer.Dispose();
        _sweepTimer.Dispose();
    }

    /// <summary>Lets each open database look for documents that expire or are refreshed.</summary>
    private void Sweep()
    {
        DateTimeOffset now = _clock.GetUtcNow();
        int opened = 0;
        foreach (Database database in _databases)
        {
            if (opened < OpenedAtOnceMax && database.MustOpen(now))
            {
                opened++;
                _ = Task.Run(() => Try(database, static one => one.OpenForDue()));
            }

            _ = SweepAsync(database, now);
        }
    }

    private async Task SweepAsync(Database database, DateTimeOffset now)
    {
        try
        {
            await database.SweepAsync(now).ConfigureAwait(false);
        }
#pragma warning disable CA1031 // As below: nobody looks at what this ends with.
        catch (Exception e)
#pragma warning restore CA1031
        {
            CatalogLog.UpkeepFailed(_log, e, database.Name);
        }
    }

    /// <summary>Nothing is above the thread of a timer: what fails there would end the process.</summary>
    private void Try(Database database, Action<Database> work)
    {
        try
        {
            work(database);
        }
#pragma warning disable CA1031 // Whatever it is, the other databases go on, and the log says so.
        catch (Exception e)
#pragma warning restore CA1031
        {
            CatalogLog.UpkeepFailed(_log, e, database.Name);
        }
    }
}
