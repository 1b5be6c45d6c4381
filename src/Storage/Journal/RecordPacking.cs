using Raven.Storage.Options;

namespace Raven.Storage.Journal;

// A record of some kilobytes costs the disk a wait, whatever its length, and packing it is cheap. A record of megabytes
// costs by its bytes on both sides: packing is worth its time on a slow disk and lost on a fast one, and which of the
// two a disk is changes by the hour. So both ways are timed, as a whole, as large records go by (docs/decisions/0020,
// 10,000 random keys a transaction).

/// <summary>
/// Says which records are packed: small ones always, large ones unless those before took a tenth less time plain. Asked
/// under the write lock; told under the journal lock.
/// </summary>
internal sealed class RecordPacking(JournalCompression compression)
{
    /// <summary>From so many bytes on, unpacked, a record is a large one.</summary>
    internal const int LargeBytesMin = 1 << 20;

    /// <summary>One of so many large records goes the other way: that may have become the faster one. A prime, so that
    /// records whose sizes take turns all get theirs.</summary>
    internal const int TrialInterval = 31;

    /// <summary>What plain records must gain at least: the backlog and its bound count their bytes, and recovery reads
    /// them.</summary>
    internal const double GainMin = 0.1;

    private const int PlainShare = 2;

    private readonly Way _packed = new();
    private readonly Way _plain = new();
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

    /// <summary>A record was written.</summary>
    /// <param name="bytes">Its payload's bytes, unpacked.</param>
    /// <param name="wasTried">True if it was packed, or could not be made shorter.</param>
    /// <param name="ticks">What packing and writing it took.</param>
    internal void Note(int bytes, bool wasTried, long ticks)
    {
        if (bytes >= LargeBytesMin)
        {
            (wasTried ? _packed : _plain).Add((double)ticks / bytes);
        }
    }

    /// <summary>
    /// What a record counts for towards the next flush. One that is left plain to save time has the changes of a packed
    /// one of half to three quarters of its length, and is recovered sooner: it brings the flush no nearer than that
    /// one would, or what it saves is spent on pages that go whole into the journal anew.
    /// </summary>
    /// <param name="bytes">Its payload's bytes, unpacked.</param>
    /// <param name="wasTried">True if it was packed, or could not be made shorter.</param>
    /// <param name="fileBytes">Its length in the journal.</param>
    internal long TowardsFlush(int bytes, bool wasTried, long fileBytes) =>
        compression == JournalCompression.Adaptive && !wasTried && bytes >= LargeBytesMin
            ? fileBytes / PlainShare
            : fileBytes;

    /// <summary>The mean time of records that went one way; of the last ones most.</summary>
    private sealed class Way
    {
        /// <summary>The first has cold code and fresh memory: of the first two the shorter time counts.</summary>
        private const int FirstSamples = 2;

        private const double WeightOfMore = 0.25;
        private const double WeightOfLess = 0.5;

        /// <summary>A write that met a flush is no measure: no sample counts for more than so many times the mean.
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
