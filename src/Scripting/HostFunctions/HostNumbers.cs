using System.Globalization;
using System.Text;
using Raven.Blittable.Reading;
using Raven.Scripting.Documents;
using Raven.Scripting.Library;
using Raven.Scripting.Runtime;
using StoredKind = Raven.Blittable.Format.ValueKind;

namespace Raven.Scripting.HostFunctions;

/// <summary>
/// <c>sameNumber(object, name, other, otherName)</c>: whether two members are the same number, digit by digit, even if
/// their doubles are equal. null if neither is a number.
/// </summary>
internal static class HostNumbers
{
    internal static void Build(RealmBuilder builder) => HostLibrary.Function(builder, "sameNumber", 4, (run, _, a) =>
    {
        string? left = DigitsOf(run, a.At(0), Operations.ToText(run, a.At(1)));
        string? right = DigitsOf(run, a.At(2), Operations.ToText(run, a.At(3)));
        return left is null && right is null ? JsValue.Null
            : JsValue.Of(left is not null && right is not null && Parse(left) == Parse(right));
    });

    /// <summary>
    /// The number as a text, in its stored form if the script has not set it; null if it is no number.
    /// </summary>
    private static string? DigitsOf(Run run, JsValue holder, string name)
    {
        if (TryGetStored(run, holder, name, out BlittableValue stored))
        {
            return stored.Kind is StoredKind.Integer or StoredKind.Number ? TextOf(run, stored) : null;
        }

        JsValue value = run.GetProperty(holder, name);
        return !value.IsNumber ? null
            : ExactNumber.DigitsOf(value) ?? value.Number.ToString("R", CultureInfo.InvariantCulture);
    }

    private static bool TryGetStored(Run run, JsValue holder, string name, out BlittableValue stored)
    {
        stored = default;
        switch (holder.AsObject)
        {
            case DocumentObject target:
                return !target.TryGetMapped(run, name, out _) && target.TryFind(name, out stored);
            case DocumentArray { Own: null } list
                when PropertyKeys.TryIndex(name, out uint index) && index < (uint)list.Source.Count
                    && !list.TryGetKept((int)index, out _):
                stored = list.Source[(int)index];
                return true;
            default:
                return false;
        }
    }

    private static string TextOf(Run run, BlittableValue stored)
    {
        Span<byte> text = stackalloc byte[64];
        if (!stored.TryFormatNumber(text, out int length))
        {
            text = new byte[stored.Memory.Length];
            stored.TryFormatNumber(text, out length);
        }

        run.ChargeText(length);
        return Encoding.ASCII.GetString(text[..length]);
    }

    /// <summary>Sign, digits without zeros at their ends, and the place of the first: equal if the number is.</summary>
    private static (bool IsNegative, string Digits, long Exponent) Parse(string text)
    {
        int mark = text.AsSpan().IndexOfAny('e', 'E');
        long exponent = 0;
        if (mark >= 0 && !long.TryParse(text.AsSpan(mark + 1), CultureInfo.InvariantCulture, out exponent))
        {
            exponent = text[mark + 1] == '-' ? long.MinValue / 2 : long.MaxValue / 2;
        }

        string mantissa = (mark < 0 ? text : text[..mark]).TrimStart('-');
        int point = mantissa.IndexOf('.', StringComparison.Ordinal);
        exponent += point < 0 ? mantissa.Length : point;
        string digits = mantissa.Replace(".", "", StringComparison.Ordinal);
        string significant = digits.TrimStart('0');
        exponent -= digits.Length - significant.Length;
        significant = significant.TrimEnd('0');
        return significant.Length == 0 ? (false, "", 0) : (text[0] == '-', significant, exponent);
    }
}
