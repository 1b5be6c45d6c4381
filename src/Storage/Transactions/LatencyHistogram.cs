using System.Numerics;

namespace Raven.Storage.Transactions;

/// <summary>
/// Counts durations in classes a quarter of a power of two wide, so that a percentile is right within 25%. Adding takes
/// no lock and no memory. Any thread.
/// </summary>
public sealed class LatencyHistogram
{
    private const int ClassesPerPower = 4;

    private readonly long[] _counts = new long[64 * ClassesPerPower];
    private long _maxMicroseconds;
    private long _sumMicroseconds;

    /// <summary>Durations added.</summary>
    public long Count
    {
        get
        {
            long count = 0;
            for (int i = 0; i < _counts.Length; i++)
            {
                count += Volatile.Read(ref _counts[i]);
            }

            return count;
        }
    }

    /// <summary>The longest duration.</summary>
    public TimeSpan Max => TimeSpan.FromMicroseconds(Volatile.Read(ref _maxMicroseconds));

    /// <summary>All durations together.</summary>
    public TimeSpan Sum => TimeSpan.FromMicroseconds(Volatile.Read(ref _sumMicroseconds));

    /// <summary>How many durations were below 2^<paramref name="power"/> microseconds.</summary>
    public long CountBelow(int power)
    {
        long count = 0;
        for (int i = 0; i < Math.Min(power * ClassesPerPower, _counts.Length); i++)
        {
            count += Volatile.Read(ref _counts[i]);
        }

        return count;
    }

    /// <summary>The upper bound of the class in which this share of all durations lies or lies below.</summary>
    /// <param name="share">0 to 1, as 0.99.</param>
    public TimeSpan Percentile(double share)
    {
        long left = (long)Math.Ceiling(Count * share);
        for (int i = 0; i < _counts.Length; i++)
        {
            left -= Volatile.Read(ref _counts[i]);
            if (left <= 0)
            {
                return TimeSpan.FromMicroseconds(UpperBoundOf(i));
            }
        }

        return Max;
    }

    internal void Add(TimeSpan duration)
    {
        long microseconds = Math.Max(1, (long)duration.TotalMicroseconds);
        Interlocked.Increment(ref _counts[ClassOf(microseconds)]);
        Interlocked.Add(ref _sumMicroseconds, microseconds);
        long max = Volatile.Read(ref _maxMicroseconds);
        while (microseconds > max)
        {
            max = Interlocked.CompareExchange(ref _maxMicroseconds, microseconds, max);
        }
    }

    private static int ClassOf(long microseconds)
    {
        int power = BitOperations.Log2((ulong)microseconds);
        long within = power < 2 ? 0 : (microseconds >> (power - 2)) & 3;
        return power * ClassesPerPower + (int)within;
    }

    private static double UpperBoundOf(int index) =>
        Math.Pow(2, index / ClassesPerPower) * (1 + (index % ClassesPerPower + 1) / (double)ClassesPerPower);
}
