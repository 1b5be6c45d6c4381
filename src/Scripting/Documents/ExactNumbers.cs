using System.Globalization;
using System.Text;
using Raven.Blittable.Reading;
using Raven.Blittable.Writing;

namespace Raven.Scripting.Documents;

/// <summary>
/// The digits of stored numbers that a script has read and no double holds, by their double: whole numbers from 2^53
/// on, and fractions of more than 15 digits. A number that passes through is written with the digits that it had; where
/// two of one double were read it is not known which is meant, and the double is written. One run at a time.
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
        if ((stored.HasManyDigits || Math.Abs(number) >= IntegerMax) && double.IsFinite(number))
        {
            Keep(stored, number);
        }
        else if (_digits.Count > 0 && _digits.ContainsKey(number))
        {
            // Few digits that are this double: it is not known which of the two numbers is meant.
            _digits[number] = null;
        }
    }

    /// <summary>A script reads a whole number that no document has.</summary>
    internal void Note(long number)
    {
        if (Math.Abs((double)number) >= IntegerMax)
        {
            Keep(number, number.ToString(CultureInfo.InvariantCulture));
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
        if (stored.TryFormatNumber(text, out int written) && !IsWhatTheDoubleSays(text[..written], number))
        {
            Keep(number, Encoding.ASCII.GetString(text[..written]));
        }
    }

    /// <summary>Whether a fraction would be written with these very digits: many have 16 or 17 of them because a double
    /// was written out.</summary>
    private static bool IsWhatTheDoubleSays(ReadOnlySpan<byte> digits, double number)
    {
        Span<byte> own = stackalloc byte[32];
        return Math.Abs(number) < IntegerMax
            && number.TryFormat(own, out int written, "R", CultureInfo.InvariantCulture)
            && digits.SequenceEqual(own[..written]);
    }

    private void Keep(double number, string digits)
    {
        if (_digits.TryGetValue(number, out string? known))
        {
            _digits[number] = known == digits ? known : null;
        }
        else if (_digits.Count < CountMax)
        {
            _digits[number] = digits;
        }
    }
}
