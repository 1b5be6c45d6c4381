namespace Raven.Storage.Journal;

// A record of some kilobytes costs the disk a wait, whatever its length, and packing it is cheap. A record of megabytes
// costs by its bytes on both sides: packing is worth its time on a slow disk and lost on a fast one, and which of the
// two a disk is changes by the hour. So both are measured as records go by (docs/performance.md, 10,000 random keys a
// transaction).

/// <summary>
/// Says which records are packed, by what packing and writing took for the large ones before. Asked and told of packing
/// under the write lock; told of writes by whoever writes, one at a time.
/// </summary>
internal sealed class RecordPacking(JournalCompression compression)
{
    /// <summary>From here on a record is a large one.</summary>
    internal const int LargeBytesMin = 1 << 20;

    /// <summary>Of so many large records one is packed in any case: what is packed now may gain more.</summary>
    internal const int TrialInterval = 32;

    private const double Weight = 0.25;

    private double _packTicksPerByte = double.NaN;
    private double _savedShare = double.NaN;
    private double _writeTicksPerByte = double.NaN;
    private int _plainInTurn;

    /// <summary>True if packing a payload of so many bytes should be tried.</summary>
    internal bool IsWorthwhile(int bytes)
    {
        if (compression != JournalCompression.Adaptive || bytes < LargeBytesMin)
        {
            return compression != JournalCompression.Never;
        }

        // Not known yet compares as false.
        bool isLoss = _packTicksPerByte > _savedShare * Volatile.Read(ref _writeTicksPerByte);
        if (!isLoss || ++_plainInTurn >= TrialInterval)
        {
            _plainInTurn = 0;
            return true;
        }

        return false;
    }

    /// <summary>A payload was packed, or could not be made shorter: then both lengths are the same.</summary>
    internal void NotePacked(int plainBytes, int storedBytes, long ticks)
    {
        if (plainBytes >= LargeBytesMin)
        {
            _packTicksPerByte = Mean(_packTicksPerByte, (double)ticks / plainBytes);
            _savedShare = Mean(_savedShare, 1 - ((double)storedBytes / plainBytes));
        }
    }

    /// <summary>A record was written.</summary>
    internal void NoteWritten(int bytes, long ticks)
    {
        // A short one's time is mostly the wait, which is no matter of bytes.
        if (bytes >= LargeBytesMin / 2)
        {
            Volatile.Write(ref _writeTicksPerByte, Mean(_writeTicksPerByte, (double)ticks / bytes));
        }
    }

    private static double Mean(double before, double now) =>
        double.IsNaN(before) ? now : before + (Weight * (now - before));
}
