namespace Raven.Server.Http.Attachments;

/// <summary>
/// Keeps an upload from taking the disk and the cores from those who write documents: while there are any, its pieces
/// come at a bounded rate; beside nothing but uploads it is as fast as it can be. One thread at a time.
/// </summary>
/// <param name="countOthers">Changes with each write that is no piece of an upload.</param>
/// <param name="time">Its clock and its timers.</param>
internal sealed class UploadPace(Func<long> countOthers, TimeProvider time)
{
    /// <summary>The rate beside other writers, of each upload. What others wait at it: docs/decisions/0013.</summary>
    internal const long BytesPerSecondBesideWriters = 48 << 20;

    private static readonly TimeSpan Lately = TimeSpan.FromMilliseconds(100);
    private static readonly TimeSpan ShortestWait = TimeSpan.FromMilliseconds(1);

    private long _othersSeen = countOthers();
    private long? _othersSeenAt;
    private long _pieceDueAt;

    /// <summary>A piece was stored: waits until the next one may be.</summary>
    internal Task WaitAsync(int pieceSizeBytes, CancellationToken cancellation)
    {
        long now = time.GetTimestamp();
        long others = countOthers();
        if (others != _othersSeen)
        {
            _othersSeen = others;
            _othersSeenAt = now;
        }

        if (_othersSeenAt is not { } seen || time.GetElapsedTime(seen, now) > Lately)
        {
            _pieceDueAt = 0;
            return Task.CompletedTask;
        }

        // What the last wait took too long is made up for by the next one, and no more than that.
        long pieceTicks = (long)((double)pieceSizeBytes / BytesPerSecondBesideWriters * time.TimestampFrequency);
        _pieceDueAt = Math.Max(_pieceDueAt, now - pieceTicks) + pieceTicks;
        TimeSpan wait = time.GetElapsedTime(now, _pieceDueAt);
        return wait < ShortestWait ? Task.CompletedTask : Task.Delay(wait, time, cancellation);
    }
}
