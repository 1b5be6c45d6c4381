using System.Globalization;
using System.Text;

namespace Raven.Search.Searchers;

/// <summary>One value of a counted field.</summary>
/// <param name="Value">Null, a bool, long, Int128, double or string.</param>
/// <param name="Count">Entries that have it, but for those that also have the text that it is called by.</param>
/// <param name="NumberCount">Numbers of the aggregated field among those entries.</param>
/// <param name="Sum">Their sum.</param>
/// <param name="Min">The least; infinity without any.</param>
/// <param name="Max">The greatest; minus infinity without any.</param>
public sealed record FacetValue(
    object? Value, long Count, long NumberCount, double Sum, double Min, double Max)
{
    /// <summary>The mean of the numbers; not a number without any.</summary>
    public double Average => Sum / NumberCount;

    /// <summary>What it is called: values of other kinds may be called the same, as 1 and "1".</summary>
    public string Name => Value switch
    {
        null => Encoding.UTF8.GetString(NameOfNull),
        bool isTrue => isTrue ? "true" : "false",
        _ => Convert.ToString(Value, CultureInfo.InvariantCulture)!,
    };

    internal static ReadOnlySpan<byte> NameOfNull => "NULL_VALUE"u8;
}
