using System.Globalization;
using System.Text;
using Raven.Blittable.Reading;
using Raven.Blittable.Writing;

namespace Raven.Scripting.Documents;

/// <summary>
/// The digits of large stored numbers that a script has read, by their double: from 2^53 on no double holds all
/// integers. A number that passes through is written with the digits that it had; where two of one double were read it
/// is not known which is meant, and the double is written. One run at a time.
/// </summary>
internal sealed class ExactNumbers
{
    /// <summary>From here on neighbours of integers are lost.</summary>
    private const double IntegerMax = 9007199254740992;

    private const int CountMax = 1024;

    private readonly Dictionary<double, string?> _digits = [];

    /// <summary>Another document begins.</summary>
    internal void Clear()
    {
        if (_digits.Count > 0)
        {
            _digits.Clear();
        }
    }

    /// <summary>A script reads a stored number.</summary>
    internal void Note(BlittableValue stored, double number)
    {
        if (Math.Abs(number) >= IntegerMax && double.IsFinite(number))
        {
            Keep(stored, number);
        }
    }

    /// <summary>The digits of a number, where they are known.</summary>
    internal string? DigitsOf(double number) => _digits.GetValueOrDefault(number);

    /// <summary>Writes a number by its digits, where they are known.</summary>
    internal bool TryWrite(BlittableWriter writer, double number)
    {
        if (_digits.Count == 0 || !_digits.TryGetValue(number, out string? digits) || digits is null)
        {
            return false;
        }

        if (long.TryParse(digits, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out long whole))
        {
            writer.Number(whole);
        }
        else
        {
            Span<byte> text = stackalloc byte[64];
            writer.NumberText(text[..Encoding.ASCII.GetBytes(digits, text)]);
        }

        return true;
    }

    private void Keep(BlittableValue stored, double number)
    {
        Span<byte> text = stackalloc byte[64];
        if (_digits.Count >= CountMax || !stored.TryFormatNumber(text, out int written))
        {
            return;
        }

        string digits = Encoding.ASCII.GetString(text[..written]);
        if (!_digits.TryAdd(number, digits) && _digits[number] != digits)
        {
            _digits[number] = null;
        }
    }
}
