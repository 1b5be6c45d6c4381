using System.Globalization;
using System.Text;
using Raven.Blittable.Reading;
using Raven.Blittable.Writing;
using Raven.Scripting.Runtime;

namespace Raven.Scripting.Documents;

/// <summary>
/// The digits of a stored number that no double holds: a whole one from 2^53 on, a fraction of more than 15 digits, or
/// one beyond the largest double. A script reads the nearest double with these digits attached, so that a number passed
/// on is written with its stored digits. A number that the script writes or computes is another value even if its
/// double is the same, and has only the digits of its double.
/// </summary>
internal sealed class ExactNumber : HeapValue
{
    /// <summary>From here on doubles skip integers.</summary>
    private const double IntegerMax = 9007199254740992;

    private const int RoomBytes = 64;

    private ExactNumber(string digits)
        : base(Runtime.ValueKind.Number) => Digits = digits;

    /// <summary>The digits in JSON form.</summary>
    internal string Digits { get; }

    /// <summary>The value of a stored number.</summary>
    internal static JsValue Read(Run run, BlittableValue stored)
    {
        double number = DocumentValues.ToDouble(stored);
        return IsHeld(stored, number) ? new JsValue(number) : Make(run, DigitsOf(stored), number);
    }

    /// <summary>The value of a whole number that is not from a document.</summary>
    internal static JsValue Read(Run run, long number) => Math.Abs((double)number) < IntegerMax ? new JsValue(number)
        : Make(run, number.ToString(CultureInfo.InvariantCulture), number);

    /// <summary>The digits of a value, if they differ from its double.</summary>
    internal static string? DigitsOf(JsValue value) => (value.Cell as ExactNumber)?.Digits;

    /// <summary>Whether a number of a script is the stored one itself.</summary>
    internal static bool IsSame(JsValue value, BlittableValue stored)
    {
        double number = DocumentValues.ToDouble(stored);
        return value.IsNumber && value.Number == number
            && (IsHeld(stored, number) || DigitsOf(value) == DigitsOf(stored));
    }

    /// <summary>Writes a number by its digits, if it has any.</summary>
    internal static bool TryWrite(BlittableWriter writer, JsValue value)
    {
        if (value.Cell is not ExactNumber exact)
        {
            return false;
        }

        string digits = exact.Digits;
        if (long.TryParse(digits, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out long whole))
        {
            writer.Number(whole);
            return true;
        }

        Span<byte> text = digits.Length <= RoomBytes ? stackalloc byte[RoomBytes] : new byte[digits.Length];
        writer.NumberText(text[..Encoding.ASCII.GetBytes(digits, text)]);
        return true;
    }

    /// <summary>
    /// Whether the double is the number: a double holds all numbers of up to 15 digits, and many have 16 or 17 because
    /// they were written from a double.
    /// </summary>
    internal static bool IsHeld(BlittableValue stored, double number)
    {
        if (!double.IsFinite(number))
        {
            return false;
        }

        if (!stored.HasManyDigits && Math.Abs(number) < IntegerMax)
        {
            return true;
        }

        Span<byte> text = stackalloc byte[RoomBytes];
        Span<byte> own = stackalloc byte[32];
        return Math.Abs(number) < IntegerMax && stored.TryFormatNumber(text, out int length)
            && number.TryFormat(own, out int written, "R", CultureInfo.InvariantCulture)
            && text[..length].SequenceEqual(own[..written]);
    }

    private static JsValue Make(Run run, string digits, double number)
    {
        run.ChargeBytes(48 + (2L * digits.Length));
        return new JsValue(new ExactNumber(digits), number);
    }

    private static string DigitsOf(BlittableValue stored)
    {
        Span<byte> text = stackalloc byte[RoomBytes];
        if (!stored.TryFormatNumber(text, out int length))
        {
            text = new byte[stored.Memory.Length + RoomBytes];
            stored.TryFormatNumber(text, out length);
        }

        return Encoding.ASCII.GetString(text[..length]);
    }
}
