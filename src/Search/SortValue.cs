using System.Globalization;
using System.Text;
using Raven.Search.Segments;
using Raven.Search.Spatial;

namespace Raven.Search;

/// <summary>
/// A value of a field that results are ordered by: a text, a number, true or false. Valid within the call.
/// </summary>
public readonly ref struct SortValue
{
    private readonly ReadOnlySpan<byte> _term;

    internal SortValue(ReadOnlySpan<byte> term) => _term = term;

    /// <summary>Whether it is a number.</summary>
    public bool IsNumber => _term[0] == TermCode.Number;

    /// <summary>Whether it is true or false.</summary>
    public bool IsBoolean => _term[0] is TermCode.False or TermCode.True;

    /// <summary>Whether it is a text.</summary>
    public bool IsText => _term[0] == TermCode.Text;

    /// <summary>The nearest double of a number; NaN for other values.</summary>
    public double Number => IsNumber ? TermCode.ReadDouble(_term) : double.NaN;

    /// <summary>Whether it is true.</summary>
    public bool IsTrue => _term[0] == TermCode.True;

    /// <summary>The UTF-8 of a text as the index has it, mostly in lower case; empty for other values.</summary>
    public ReadOnlySpan<byte> Utf8 => IsText ? _term[1..] : default;

    /// <summary>Orders like the index: false, true, numbers by size, texts by their bytes.</summary>
    public int CompareTo(SortValue other) => _term.SequenceCompareTo(other._term);

    /// <summary>The value as a text; allocates.</summary>
    public override string ToString() => IsText ? Encoding.UTF8.GetString(Utf8)
        : IsNumber ? TermCode.TryReadInt64(_term, out long integer)
            ? integer.ToString(CultureInfo.InvariantCulture)
            : TermCode.TryReadLarge(_term, out Int128 large)
            ? large.ToString(CultureInfo.InvariantCulture)
            : Number.ToString("R", CultureInfo.InvariantCulture)
        : IsBoolean ? IsTrue ? "true" : "false"
        : SpatialText.Of(_term);
}
