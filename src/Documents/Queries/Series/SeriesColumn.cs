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

    /// <summary>Adds what a roll-up says: first, last, least, greatest, sum, count.</summary>
    internal void Add(long time, ReadOnlySpan<double> rolled)
    {
        Min = Count == 0 ? rolled[2] : Math.Min(Min, rolled[2]);
        Max = Count == 0 ? rolled[3] : Math.Max(Max, rolled[3]);
        First = Count == 0 ? rolled[0] : First;
        FirstTime = Count == 0 ? time : FirstTime;
        Last = rolled[1];
        LastTime = time;
        Sum += rolled[4];
        Count += rolled[5];
    }

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
