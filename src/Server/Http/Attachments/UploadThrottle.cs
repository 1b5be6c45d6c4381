using Raven.Storage.GroupCommit;

namespace Raven.Server.Http.Attachments;

/// <summary>
/// Keeps an upload from using the disk and the cores that other writers need: while there are any, its pieces are
/// stored at a bounded rate; without other writers it is as fast as it can be. One thread at a time.
/// </summary>
/// <param name="countOthers">Returns a number that changes with each write that is no piece of an upload.</param>
/// <param name="time">Its clock and its timers.</param>
internal sealed class UploadThrottle(Func<long> countOthers, TimeProvider time)
{
    /// <summary>The rate of each upload beside other writers. docs/decisions/0013 has the times that
    /// others wait.</summary>
    internal const long BytesPerSecondBesideWriters = 48 << 20;

    private static readonly TimeSpan ShortestWait = TimeSpan.FromMilliseconds(1);

    private readonly WriteActivity _others = new(countOthers, time);
    private long _pieceDueAt;

    /// <summary>Called after a piece was stored: waits until the next one may be.</summary>
    internal Task WaitAsync(int pieceSizeBytes, CancellationToken cancellation)
    {
        if (!_others.IsRecent())
        {
            _pieceDueAt = 0;
            return Task.CompletedTask;
        }

        long now = time.GetTimestamp();
        // If the last wait was too long, the next one is shorter by as much, and no more than that.
        long pieceTicks = (long)((double)pieceSizeBytes / BytesPerSecondBesideWriters * time.TimestampFrequency);
        _pieceDueAt = Math.Max(_pieceDueAt, now - pieceTicks) + pieceTicks;
        TimeSpan wait = time.GetElapsedTime(now, _pieceDueAt);
        return wait < ShortestWait ? Task.CompletedTask : Task.Delay(wait, time, cancellation);
    }
}
