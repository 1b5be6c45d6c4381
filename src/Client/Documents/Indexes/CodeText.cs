using System.Globalization;
using System.Text;

namespace Raven.Client.Documents.Indexes;

/// <summary>Writes values as C# literals.</summary>
internal static class CodeText
{
    /// <summary>The literal of a value; null if it has none.</summary>
    /// <param name="value">The value.</param>
    /// <param name="enumsAreNumbers">Whether documents have numbers for enumerations.</param>
    internal static string? Of(object? value, bool enumsAreNumbers) => value switch
    {
        null => "null",
        string text => Literal(text),
        char one => Literal(one.ToString()),
        bool flag => flag ? "true" : "false",
        Enum name => enumsAreNumbers
            ? Convert.ToInt64(name, CultureInfo.InvariantCulture).ToString(CultureInfo.InvariantCulture)
            : Literal(name.ToString()),
        decimal exact => exact.ToString(CultureInfo.InvariantCulture) + "m",
        double number => Real(number),
        float number => Real(number),
        sbyte or byte or short or ushort or int or uint or long =>
            Convert.ToString(value, CultureInfo.InvariantCulture),
        DateTime time => $"DateTime.Parse(\"{time.ToString("o", CultureInfo.InvariantCulture)}\")",
        DateTimeOffset time => $"DateTime.Parse(\"{time.UtcDateTime.ToString("o", CultureInfo.InvariantCulture)}\")",
        TimeSpan span => $"TimeSpan.Parse(\"{span.ToString("c", CultureInfo.InvariantCulture)}\")",
        Guid id => Literal(id.ToString()),
        _ => null,
    };

    /// <summary>The literal of a string.</summary>
    internal static string Literal(string text)
    {
        var literal = new StringBuilder("\"");
        foreach (char one in text)
        {
            _ = one switch
            {
                '"' => literal.Append("\\\""),
                '\\' => literal.Append(@"\\"),
                '\n' => literal.Append("\\n"),
                '\r' => literal.Append("\\r"),
                '\t' => literal.Append("\\t"),
                _ when char.IsControl(one) || char.IsSurrogate(one) || one is '\u2028' or '\u2029' or '\u0085' =>
                    literal.Append(CultureInfo.InvariantCulture, $"\\u{(int)one:x4}"),
                _ => literal.Append(one),
            };
        }

        return literal.Append('"').ToString();
    }

    private static string Real(double number)
    {
        string text = number.ToString("R", CultureInfo.InvariantCulture);
        return text.AsSpan().ContainsAny('.', 'E') ? text : text + ".0";
    }
}
