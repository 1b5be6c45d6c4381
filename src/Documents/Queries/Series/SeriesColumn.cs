using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;
using Raven.Documents.Queries.Rql;

namespace Raven.Documents.Queries.Series;

/// <summary>What is known of the values of one column in one group of entries.</summary>
internal struct SeriesColumn
{
    private double _mean;
    private double _squares;
    private List<double>? _values;

    /// <summary>How many values there are; of roll-ups, how many they stand for.</summary>
    internal double Count { get; private set; }

    internal double First { get; private set; }

    internal double Last { get; private set; }

    internal double Min { get; private set; }

    internal double Max { get; private set; }

    internal double Sum { get; private set; }

    /// <summary>The time of the first entry with a value.</summary>
    internal long FirstTime { get; private set; }

    /// <summary>The time of the last one.</summary>
    internal long LastTime { get; private set; }

    /// <summary>Adds a value behind the others.</summary>
    /// <param name="time">Its time.</param>
    /// <param name="value">The value.</param>
    /// <param name="needs">What will be asked beside the sum and its like.</param>
    internal void Add(long time, double value, SeriesNeeds needs)
    {
        Min = Count == 0 ? value : Math.Min(Min, value);
        Max = Count == 0 ? value : Math.Max(Max, value);
        First = Count == 0 ? value : First;
        FirstTime = Count == 0 ? time : FirstTime;
        Last = value;
        LastTime = time;
        Sum += value;
        Count++;

        if ((needs & SeriesNeeds.Spread) != 0)
        {
            // Welford's method: the sum of squares would lose what makes values differ.
            double difference = value - _mean;
            _mean += difference / Count;
            _squares += difference * (value - _mean);
        }

        if ((needs & SeriesNeeds.Values) != 0)
        {
            (_values ??= []).Add(value);
        }
    }

    /// <summary>Adds values behind the others.</summary>
    /// <param name="first">The time of the first of them.</param>
    /// <param name="last">The time of the last one.</param>
    /// <param name="values">The values, at least one.</param>
    internal void Add(long first, long last, ReadOnlySpan<double> values)
    {
        double before = Sum;
        (double least, double greatest, double sum) = Reduce(values);
        Add(first, last, new ColumnPart(values[0], values[^1], least, greatest, sum, values.Length));
        if (!double.IsFinite(Sum))
        {
            // Values that are added in another order may become too great on the way, where these do not.
            Sum = before;
            foreach (double value in values)
            {
                Sum += value;
            }
        }
    }

    /// <summary>Adds what is known of values behind the others, with the times of the first and of the last.</summary>
    internal void Add(long first, long last, in ColumnPart part)
    {
        Min = Count == 0 ? part.Min : Math.Min(Min, part.Min);
        Max = Count == 0 ? part.Max : Math.Max(Max, part.Max);
        First = Count == 0 ? part.First : First;
        FirstTime = Count == 0 ? first : FirstTime;
        Last = part.Last;
        LastTime = last;
        Sum += part.Sum;
        Count += part.Count;
    }

    /// <summary>Forgets all values, and keeps the memory.</summary>
    internal void Clear()
    {
        List<double>? values = _values;
        values?.Clear();
        this = default;
        _values = values;
    }

    /// <summary>Adds what a roll-up says: first, last, least, greatest, sum, count.</summary>
    internal void Add(long time, ReadOnlySpan<double> rolled) =>
        Add(time, time, new ColumnPart(rolled[0], rolled[1], rolled[2], rolled[3], rolled[4], rolled[5]));

    /// <summary>What is asked of the values.</summary>
    /// <param name="kind">Which it is.</param>
    /// <param name="percent">For a percentile, from 0 to 100.</param>
    internal readonly double Get(RqlSeriesAggregateKind kind, double percent) => kind switch
    {
        RqlSeriesAggregateKind.First => First,
        RqlSeriesAggregateKind.Last => Last,
        RqlSeriesAggregateKind.Min => Min,
        RqlSeriesAggregateKind.Max => Max,
        RqlSeriesAggregateKind.Sum => Sum,
        RqlSeriesAggregateKind.Average => Count == 0 ? 0 : Sum / Count,
        RqlSeriesAggregateKind.Slope => LastTime == FirstTime ? 0 : (Last - First) / (LastTime - FirstTime),
        RqlSeriesAggregateKind.StandardDeviation => Count == 0 ? 0 : Math.Sqrt(_squares / Count),
        RqlSeriesAggregateKind.Percentile => Percentile(percent),
        _ => Count,
    };

    /// <summary>The least and the greatest of values, and their sum, which is added up in the same order on each
    /// machine.</summary>
    private static (double Least, double Greatest, double Sum) Reduce(ReadOnlySpan<double> values)
    {
        ReadOnlySpan<Vector256<double>> vectors = MemoryMarshal.Cast<double, Vector256<double>>(values);
        double least = values[^1];
        double greatest = least;
        double sum = 0;
        if (!vectors.IsEmpty)
        {
            Vector256<double> leasts = vectors[0];
            Vector256<double> greatests = leasts;
            Vector256<double> sums = Vector256<double>.Zero;
            foreach (Vector256<double> each in vectors)
            {
                leasts = Vector256.Min(leasts, each);
                greatests = Vector256.Max(greatests, each);
                sums += each;
            }

            for (int i = 0; i < Vector256<double>.Count; i++)
            {
                least = Math.Min(least, leasts[i]);
                greatest = Math.Max(greatest, greatests[i]);
                sum += sums[i];
            }
        }

        foreach (double value in values[(vectors.Length * Vector256<double>.Count)..])
        {
            least = Math.Min(least, value);
            greatest = Math.Max(greatest, value);
            sum += value;
        }

        return (least, greatest, sum);
    }

    /// <summary>Between the two values nearest to the rank, in proportion.</summary>
    private readonly double Percentile(double percent)
    {
        if (_values is not { Count: > 0 } values)
        {
            return 0;
        }

        values.Sort();
        double rank = percent / 100 * (values.Count - 1);
        int below = (int)Math.Floor(rank);
        int above = Math.Min(below + 1, values.Count - 1);
        double part = rank - below;
        return part == 0 ? values[below] : values[below] + ((values[above] - values[below]) * part);
    }
}
