using System.Globalization;
using System.Text;

namespace Raven.Search.Segments;

/// <summary>
/// The terms of a duration. A field has two of them: its text, and the number of its ticks with a mark behind it. The
/// number is for comparisons and order; by its mark it is left out when the values of the field are listed.
/// </summary>
internal static class DurationCode
{
    internal const int Size = TermCode.NumberSize + 1;
    private const int TextSizeMax = 64;
    private const byte Mark = 1;

    /// <summary>Writes the ticks as a term.</summary>
    internal static int Write(Span<byte> target, long ticks)
    {
        int length = TermCode.WriteNumber(target, ticks);
        target[length] = Mark;
        return length + 1;
    }

    /// <summary>Whether a term is that of ticks.</summary>
    internal static bool IsOne(ReadOnlySpan<byte> term) => term.Length == Size && term[0] == TermCode.Number;

    /// <summary>
    /// The ticks of a text such as <c>5.00:00:00</c>, <c>1:00:00</c> or <c>5</c> (days), in the format of .NET.
    /// </summary>
    internal static bool TryRead(ReadOnlySpan<byte> text, out long ticks)
    {
        ticks = 0;
        if (text.Length is 0 or > TextSizeMax)
        {
            return false;
        }

        Span<char> characters = stackalloc char[TextSizeMax];
        int length = Encoding.UTF8.GetChars(text, characters);
        bool isOne = TimeSpan.TryParse(
            characters[..length], CultureInfo.InvariantCulture, out TimeSpan found);
        ticks = found.Ticks;
        return isOne;
    }

    /// <summary>The ordinal of the ticks that are a number, or -1.</summary>
    /// <param name="values">The field.</param>
    /// <param name="number">The term of the number.</param>
    internal static int Find(FieldReader values, ReadOnlySpan<byte> number)
    {
        if (!values.HasDurations || number.Length != TermCode.NumberSize || number[0] != TermCode.Number)
        {
            return -1;
        }

        Span<byte> term = stackalloc byte[Size];
        number.CopyTo(term);
        term[^1] = Mark;
        return Math.Max(-1, values.Find(term));
    }

    /// <summary>The ordinal behind a number and ticks of the same value.</summary>
    /// <param name="values">The field.</param>
    /// <param name="number">The term of the number.</param>
    /// <param name="ordinal">The ordinal behind the number.</param>
    internal static int Behind(FieldReader values, ReadOnlySpan<byte> number, int ordinal) =>
        Find(values, number) == ordinal ? ordinal + 1 : ordinal;
}
