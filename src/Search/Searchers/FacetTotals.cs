namespace Raven.Search.Searchers;

/// <summary>The counts of one value.</summary>
internal struct FacetTotals
{
    internal long Count;
    internal long NumberCount;
    internal double Sum;
    internal double Min;
    internal double Max;

    internal static FacetTotals Nothing { get; } =
        new() { Min = double.PositiveInfinity, Max = double.NegativeInfinity };

    internal void Add(double number)
    {
        NumberCount++;
        Sum += number;
        Min = Math.Min(Min, number);
        Max = Math.Max(Max, number);
    }

    internal void Add(in FacetTotals other)
    {
        Count += other.Count;
        NumberCount += other.NumberCount;
        Sum += other.Sum;
        Min = Math.Min(Min, other.Min);
        Max = Math.Max(Max, other.Max);
    }
}
