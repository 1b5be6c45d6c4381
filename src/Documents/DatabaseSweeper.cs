using Raven.Blittable.Contexts;
using Raven.Documents.Commands;
using Raven.Documents.Settings;
using Raven.Documents.Sweeps;

namespace Raven.Documents;

/// <summary>
/// Expires, refreshes and archives the documents of one database, as often as it is configured, and removes
/// compare-exchange values that are due, and revisions of documents that were deleted long ago. It is called from
/// outside, and has no timer of its own. The time since its last search is measured by time stamps, which go on if the
/// clock is set; what is due is decided by the clock alone.
/// </summary>
internal sealed class DatabaseSweeper(Database database, TimeProvider clock)
{
    private static readonly TimeSpan ValuesFrequency = TimeSpan.FromSeconds(60);

    private long? _valuesAt;
    private long? _expiredAt;
    private long? _refreshedAt;
    private long? _archivedAt;
    private long? _cleanedAt;
    private int _isRunning;

    /// <summary>Documents that were deleted, refreshed or archived since the database was first used.</summary>
    internal long Swept { get; private set; }

    /// <summary>Starts a search for documents that are due, if it is time for that. Any thread.</summary>
    /// <returns>The work, which nothing has to await.</returns>
    internal Task RingAsync(DatabaseSettings settings, long nowTicks)
    {
        bool expires = !settings.Expiration.IsDisabled && IsTime(settings.Expiration.Frequency, _expiredAt);
        bool refreshes = !settings.Refresh.IsDisabled && IsTime(settings.Refresh.Frequency, _refreshedAt);
        bool archives = !settings.Archival.IsDisabled && IsTime(settings.Archival.Frequency, _archivedAt);
        bool cleans = !settings.RevisionsBin.IsDisabled && IsTime(settings.RevisionsBin.Frequency, _cleanedAt);
        bool values = IsTime(ValuesFrequency, _valuesAt);
        if ((!expires && !refreshes && !archives && !cleans && !values) || Interlocked.Exchange(ref _isRunning, 1) != 0)
        {
            return Task.CompletedTask;
        }

        return Task.Run(() => RunAsync(settings, expires, refreshes, archives, cleans, values, nowTicks));
    }

    private bool IsTime(TimeSpan frequency, long? last) => last is not { } at || clock.GetElapsedTime(at) >= frequency;

    private async Task RunAsync(
        DatabaseSettings settings, bool expires, bool refreshes, bool archives, bool cleans, bool values,
        long nowTicks)
    {
        try
        {
            long began = clock.GetTimestamp();
            if (values)
            {
                await SweepAsync(SweepKind.CompareExchange, long.MaxValue, nowTicks).ConfigureAwait(false);
                _valuesAt = began;
                database.StoreNextDue();
            }

            if (expires)
            {
                await SweepAsync(SweepKind.Expiration, settings.Expiration.ItemsMax, nowTicks).ConfigureAwait(false);
                _expiredAt = began;
            }

            if (refreshes)
            {
                await SweepAsync(SweepKind.Refresh, settings.Refresh.ItemsMax, nowTicks).ConfigureAwait(false);
                _refreshedAt = began;
            }

            if (archives)
            {
                await SweepAsync(SweepKind.Archival, settings.Archival.ItemsMax, nowTicks).ConfigureAwait(false);
                _archivedAt = began;
            }

            if (cleans)
            {
                await CleanBinAsync(settings.RevisionsBin, nowTicks).ConfigureAwait(false);
                _cleanedAt = began;
            }
        }
        catch (Exception e) when (LoadFailures.IsKnown(e) || e is ObjectDisposedException)
        {
            // The database takes no writes now, and each request gets the error; the next call tries again.
        }
        finally
        {
            Volatile.Write(ref _isRunning, 0);
        }
    }

    /// <summary>Deletes the revisions of documents that were deleted long ago.</summary>
    private async Task CleanBinAsync(RevisionsBinConfiguration configuration, long nowTicks)
    {
        var command = new RevisionsBinCleanCommand(nowTicks - configuration.AgeMin.Ticks);
        long cleaned = 0;
        do
        {
            await database.SubmitAsync(command).ConfigureAwait(false);
            cleaned += command.Count;
        }
        while (command.IsMore && cleaned < configuration.ItemsMax);
    }

    private async Task SweepAsync(SweepKind kind, long itemsMax, long nowTicks)
    {
        if (!database.TryBeginReadIfOpen(out DocumentSnapshot? snapshot))
        {
            return;
        }

        using (snapshot)
        {
            if (!DueTimes.IsAnyDue(snapshot.Transaction, kind, nowTicks))
            {
                return;
            }
        }

        using var context = new OperationContext();
        var command = new SweepCommand(kind, context);
        long swept = 0;
        do
        {
            context.Reset();
            await database.SubmitAsync(command).ConfigureAwait(false);
            swept += command.Count;
        }
        while (command.IsMore && swept < itemsMax);
        Swept += swept;
    }
}
