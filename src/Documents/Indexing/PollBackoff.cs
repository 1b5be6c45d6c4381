using System.Diagnostics;

namespace Raven.Documents.Indexing;

//   LOOK-1  Small batches take a small part of a processor, however many indexes there are: the next poll waits so many
//           times as long as they worked since the one before, within bounds.
//   LOOK-2  Where batches are large, writers are busy and nothing is seen at once in any case: what a batch costs by
//           itself is shared by more changes if the next one waits for longer, within bounds. Who waits for an index
//           does not wait for a poll (DatabaseIndex.WaitAsync).

/// <summary>How long the next check of a database that is written to all the time waits. Any thread.</summary>
/// <param name="interval">The shortest wait.</param>
internal sealed class PollBackoff(TimeSpan interval)
{
    private const int RestShare = 4;
    private const int IntervalsMax = 4;
    private const int BusyIntervalsMax = 10;
    private const int SmallBatchMax = 64;

    private long _workTicks;
    private int _largestBatch;

    /// <summary>Notes a batch that an index has run.</summary>
    /// <param name="ticks">How long it took, in <see cref="Stopwatch"/> ticks.</param>
    /// <param name="changes">How many changes it took.</param>
    internal void Note(long ticks, int changes)
    {
        Interlocked.Add(ref _workTicks, ticks);
        if (changes > Volatile.Read(ref _largestBatch))
        {
            // Another index may have noted more in between: only the order of magnitude matters.
            Volatile.Write(ref _largestBatch, changes);
        }
    }

    /// <summary>How long the next check waits, in <see cref="Stopwatch"/> ticks.</summary>
    internal long NextDelay()
    {
        double least = interval.TotalSeconds * Stopwatch.Frequency;
        double rest = Interlocked.Exchange(ref _workTicks, 0) * (double)RestShare;
        double share = (double)Interlocked.Exchange(ref _largestBatch, 0) / SmallBatchMax;
        rest = Math.Clamp(rest, least, least * IntervalsMax);
        return (long)Math.Clamp(rest * share, rest, least * BusyIntervalsMax);
    }
}
