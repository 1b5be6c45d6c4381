using System.Buffers.Binary;
using Raven.Blittable.Contexts;
using Raven.Blittable.Memory;
using Raven.Documents.Commands;
using Raven.Documents.Rows;
using Raven.Documents.Rows.Series;
using Raven.Documents.Settings;
using Raven.Documents.TimeSeries;
using Raven.Storage.Trees;

namespace Raven.Documents;

/// <summary>
/// Rolls up and retires the time series of one database, as often as it is configured. It is called from outside, and
/// has no timer of its own: the time since its last search is measured by time stamps, which go on if the clock is set;
/// what is over and what is old is decided by the clock alone.
/// </summary>
internal sealed class SeriesSweeper(Database database, TimeProvider clock)
{
    private const int SeriesMax = 64;

    private readonly BatchCommand _batch = new(hashSeed: 0);
    private long? _sweptAt;
    private TimeSeriesConfiguration? _sweptFor;
    private int _isRunning;

    /// <summary>Starts a search for series with something to be done, if it is time for that. Any thread.</summary>
    /// <returns>The work, which nothing has to await.</returns>
    internal Task RingAsync(DatabaseSettings settings, long nowTicks)
    {
        if (settings.TimeSeries is not { IsActive: true } configuration || !IsTime(configuration)
            || Interlocked.Exchange(ref _isRunning, 1) != 0)
        {
            return Task.CompletedTask;
        }

        return Task.Run(() => RunAsync(configuration, nowTicks));
    }

    /// <summary>At once if the configuration is a new one.</summary>
    private bool IsTime(TimeSeriesConfiguration configuration) =>
        !ReferenceEquals(configuration, _sweptFor) || _sweptAt is not { } at
        || clock.GetElapsedTime(at) >= configuration.FrequencyOrDefault;

    private async Task RunAsync(TimeSeriesConfiguration configuration, long nowTicks)
    {
        try
        {
            long began = clock.GetTimestamp();
            var survey = new RollupSurveyCommand();
            do
            {
                await database.SubmitAsync(survey).ConfigureAwait(false);
            }
            while (survey.IsMore);

            using var context = new OperationContext();
            bool isMore = true;
            while (isMore)
            {
                // The clock may be set back meanwhile: what is not due by it would be looked at without end.
                long now = Math.Min(nowTicks, clock.GetUtcNow().UtcTicks);
                isMore = await SweepAsync(context, SeriesTime.OfTicks(now)).ConfigureAwait(false);
            }

            _sweptAt = began;
            _sweptFor = configuration;
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

    /// <summary>Does what is due for some series.</summary>
    /// <returns>True if there may be more.</returns>
    private async Task<bool> SweepAsync(OperationContext context, long now)
    {
        context.Reset();
        _batch.Reset(context);
        int count = AddDue(context, now);
        if (count == 0)
        {
            return false;
        }

        await database.SubmitAsync(_batch).ConfigureAwait(false);
        return _batch.Failure.IsNone;
    }

    private int AddDue(OperationContext context, long now)
    {
        if (!database.TryBeginReadIfOpen(out DocumentSnapshot? snapshot))
        {
            return 0;
        }

        using (snapshot)
        {
            if (snapshot.Transaction.TryOpenTree(SeriesRollups.DueTree) is not { } due)
            {
                return 0;
            }

            int count = 0;
            TreeCursor cursor = due.GetCursor();
            for (bool isOn = cursor.SeekFirst(); isOn && count < SeriesMax; isOn = cursor.MoveNext())
            {
                if (BinaryPrimitives.ReadInt64BigEndian(cursor.Key) > now)
                {
                    break;
                }

                ReadOnlySpan<byte> key = cursor.Key[sizeof(long)..];
                NativeSlice series = context.Arena.Allocate(key.Length);
                key.CopyTo(series.WritableSpan);

                // A folded id is an id: it names the same document.
                ReadOnlySpan<byte> id = key[..key.LastIndexOf(TombstoneKey.Separator)];
                _batch.TryAddAction(id, new RollupAction(context.Arena, series), ExpectedVersion.Any);
                _batch.TryAddAction(id, new RetentionAction(context.Arena, series), ExpectedVersion.Any);
                count++;
            }

            return count;
        }
    }
}
