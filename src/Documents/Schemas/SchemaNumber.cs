using System.Globalization;
using System.Numerics;
using System.Text;
using Raven.Blittable.Reading;
using Raven.Documents.Values;

namespace Raven.Documents.Schemas;

/// <summary>A number of a schema, compared exactly with those of documents.</summary>
internal sealed class SchemaNumber
{
    private const int StackLengthMax = 64;
    private const int DigitsMax = 10_000;
    private const double SafeMin = 1e-290;
    private const double SafeMax = 1e290;

    private readonly byte[] _text;
    private readonly long? _whole;
    private readonly double _value;
    private readonly bool _isShort;

    /// <summary>Takes the text of a number, valid JSON.</summary>
    internal SchemaNumber(string text)
    {
        Text = text;
        _text = Encoding.ASCII.GetBytes(text);
        _whole = long.TryParse(text, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out long whole)
            ? whole
            : null;
        _ = double.TryParse(text, NumberStyles.Float, CultureInfo.InvariantCulture, out _value);
        ExactNumber number = ExactNumber.Read(_text, new byte[_text.Length]);
        const int digitsOfDouble = 15;
        _isShort = number.Digits.IsEmpty
            || (number.Digits.Length <= digitsOfDouble && Math.Abs(_value) is > SafeMin and < SafeMax);
        Sign = number.Digits.IsEmpty ? 0 : number.IsNegative ? -1 : 1;
    }

    /// <summary>As the schema has it.</summary>
    internal string Text { get; }

    /// <summary>Whether it is below, at or above 0.</summary>
    internal int Sign { get; }

    /// <summary>Compares a number of a document with it.</summary>
    internal int Compare(BlittableValue value)
    {
        if (_whole is { } whole && value.TryGetInt64(out long other))
        {
            return other.CompareTo(whole);
        }

        // Up to 15 digits fit into a double, so that two such numbers are ordered as their doubles are.
        if (_isShort && !value.HasManyDigits && value.TryGetDouble(out double number)
            && Math.Abs(number) is > SafeMin and < SafeMax)
        {
            return number.CompareTo(_value);
        }

        byte[] text = TextOf(value);
        return ExactNumber.Compare(
            ExactNumber.Read(text, new byte[text.Length]), ExactNumber.Read(_text, new byte[_text.Length]));
    }

    /// <summary>Whether a number of a document is a multiple of it, which is above 0. One of more than 10,000 digits is
    /// none.</summary>
    internal bool IsMultiple(BlittableValue value)
    {
        if (_whole is { } whole && value.TryGetInt64(out long other))
        {
            return other % whole == 0;
        }

        byte[] text = TextOf(value);
        ExactNumber number = ExactNumber.Read(text, new byte[text.Length]);
        ExactNumber divisor = ExactNumber.Read(_text, new byte[_text.Length]);
        if (number.Digits.IsEmpty)
        {
            return true;
        }

        // Digits without zeros behind them, as whole numbers: number = d * 10^shift * (divisor's power of ten). With a
        // negative shift d would have to end with a zero.
        long shift = number.Exponent - number.Digits.Length - (divisor.Exponent - divisor.Digits.Length);
        if (shift < 0 || number.Digits.Length > DigitsMax)
        {
            return false;
        }

        BigInteger digits = Parse(number.Digits);
        BigInteger by = Parse(divisor.Digits);
        return (digits % by * BigInteger.ModPow(10, shift, by) % by).IsZero;
    }

    /// <summary>Whether a number of a document has no fraction: 1.0 has none.</summary>
    internal static bool IsWhole(BlittableValue value)
    {
        if (value.TryGetInt64(out _))
        {
            return true;
        }

        Span<byte> text = stackalloc byte[StackLengthMax];
        if (!value.TryFormatNumber(text, out int written))
        {
            byte[] longer = TextOf(value);
            return ExactNumber.Read(longer, new byte[longer.Length]).IsWhole;
        }

        Span<byte> digits = stackalloc byte[StackLengthMax];
        return ExactNumber.Read(text[..written], digits).IsWhole;
    }

    private static BigInteger Parse(ReadOnlySpan<byte> digits) =>
        BigInteger.Parse(Encoding.ASCII.GetString(digits), NumberStyles.None, CultureInfo.InvariantCulture);

    private static byte[] TextOf(BlittableValue value)
    {
        byte[] text = new byte[StackLengthMax];
        int written;
        while (!value.TryFormatNumber(text, out written))
        {
            text = new byte[text.Length * 4];
        }

        return text[..written];
    }
}
