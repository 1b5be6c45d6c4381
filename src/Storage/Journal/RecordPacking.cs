using Raven.Storage.Options;

namespace Raven.Storage.Journal;

// A record of some kilobytes costs the disk one wait, whatever its length, and is cheap to pack. The cost of a
// record of megabytes is in its bytes: packing pays off on a slow disk and not on a fast one, and a disk's speed
// changes by the hour. So the total time of both ways is measured on large records (docs/decisions/0020, 10,000
// random keys a transaction).

/// <summary>
/// Decides which records are packed: small ones always, large ones unless plain ones recently took a tenth less time.
/// <see cref="IsWorthwhile"/> is called under the write lock, <see cref="Note"/> under the journal lock.
/// </summary>
internal sealed class RecordPacking(JournalCompression compression)
{
    /// <summary>The unpacked length from which a record is a large one.</summary>
    internal const int LargeBytesMin = 1 << 20;

    /// <summary>
    /// One in so many large records goes the other way, which may have become the faster one. A prime, so that sizes
    /// that alternate are all tried.
    /// </summary>
    internal const int TrialInterval = 31;

    /// <summary>
    /// What plain records must gain at least: their bytes count for the backlog and its bound, and recovery reads them.
    /// </summary>
    internal const double GainMin = 0.1;

    private const int PlainShare = 2;

    private readonly MeanTime _packed = new();
    private readonly MeanTime _plain = new();
    private int _sinceTrial;

    /// <summary>True if packing a payload of so many bytes should be tried.</summary>
    internal bool IsWorthwhile(int bytes)
    {
        if (compression != JournalCompression.Adaptive || bytes < LargeBytesMin)
        {
            return compression != JournalCompression.Never;
        }

        if (!_packed.IsKnown || !_plain.IsKnown)
        {
            return !_packed.IsKnown;
        }

        bool packs = _plain.TicksPerByte >= (1 - GainMin) * _packed.TicksPerByte;
        if (++_sinceTrial < TrialInterval)
        {
            return packs;
        }

        _sinceTrial = 0;
        return !packs;
    }

    /// <summary>Takes note of a written record.</summary>
    /// <param name="bytes">Its payload's bytes, unpacked.</param>
    /// <param name="wasTried">True if it was packed, or could not be made shorter.</param>
    /// <param name="ticks">The time of packing and writing it.</param>
    internal void Note(int bytes, bool wasTried, long ticks)
    {
        if (bytes >= LargeBytesMin)
        {
            (wasTried ? _packed : _plain).Add((double)ticks / bytes);
        }
    }

    /// <summary>
    /// What a record counts for the next flush. A record left plain to save time holds the changes of a packed one of
    /// half to three quarters of its length, and is recovered sooner. It counts as much as the packed one would: an
    /// earlier flush would spend the saved time on pages that then go whole into the journal again.
    /// </summary>
    /// <param name="bytes">Its payload's bytes, unpacked.</param>
    /// <param name="wasTried">True if it was packed, or could not be made shorter.</param>
    /// <param name="fileBytes">Its length in the journal.</param>
    internal long TowardsFlush(int bytes, bool wasTried, long fileBytes) =>
        compression == JournalCompression.Adaptive && !wasTried && bytes >= LargeBytesMin
            ? fileBytes / PlainShare
            : fileBytes;

    /// <summary>The mean time of the records that went one way, weighted to the last ones.</summary>
    private sealed class MeanTime
    {
        /// <summary>The first runs cold code on fresh memory: of the first two the shorter time counts.</summary>
        private const int FirstSamples = 2;

        private const double WeightOfMore = 0.25;
        private const double WeightOfLess = 0.5;

        /// <summary>
        /// A write during a flush is not typical: no sample counts for more than so many times the mean.
        /// </summary>
        private const double OutlierFactor = 2;

        private double _mean = double.PositiveInfinity;
        private int _samples;

        internal bool IsKnown => Volatile.Read(ref _samples) >= FirstSamples;

        internal double TicksPerByte => Volatile.Read(ref _mean);

        internal void Add(double ticksPerByte)
        {
            if (_samples < FirstSamples)
            {
                Volatile.Write(ref _mean, Math.Min(_mean, ticksPerByte));
                Volatile.Write(ref _samples, _samples + 1);
                return;
            }

            double sample = _mean > 0 ? Math.Min(ticksPerByte, OutlierFactor * _mean) : ticksPerByte;
            double weight = sample > _mean ? WeightOfMore : WeightOfLess;
            Volatile.Write(ref _mean, _mean + (weight * (sample - _mean)));
        }
    }
}
