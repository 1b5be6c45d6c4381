using System.Buffers;
using System.Globalization;
using System.Text;
using System.Text.Json;
using Raven.Documents.Settings;

namespace Raven.Documents.Indexing.Maps;

/// <summary>
/// Writes JSON so that equal values have equal texts: equal numbers are written in one way, <c>0</c>, <c>0.0</c>
/// and <c>-0</c> too.
/// </summary>
internal static class CanonicalNumbers
{
    private const int DigitsMax = 28;

    private static readonly SearchValues<byte> Marks = SearchValues.Create(".eE-"u8);

    /// <summary>Whether there may be a number that has several spellings.</summary>
    internal static bool MayBeIn(ReadOnlySpan<byte> json)
    {
        for (int at = json.IndexOfAny(Marks); at >= 0;)
        {
            bool isInNumber = json[at] == (byte)'-'
                ? at + 1 < json.Length && json[at + 1] == (byte)'0'
                : at > 0 && char.IsAsciiDigit((char)json[at - 1]);
            if (isInNumber)
            {
                return true;
            }

            int next = json[(at + 1)..].IndexOfAny(Marks);
            at = next < 0 ? -1 : at + 1 + next;
        }

        return false;
    }

    /// <summary>JSON with plain numbers: the same bytes if there is nothing to change.</summary>
    internal static ReadOnlySpan<byte> Of(ArrayBufferWriter<byte> json)
    {
        if (!MayBeIn(json.WrittenSpan))
        {
            return json.WrittenSpan;
        }

        var plain = new ArrayBufferWriter<byte>(json.WrittenCount);
        Write(json.WrittenSpan, plain);
        return plain.WrittenSpan;
    }

    /// <summary>Writes JSON with plain numbers.</summary>
    internal static void Write(ReadOnlySpan<byte> json, ArrayBufferWriter<byte> target)
    {
        var reader = new Utf8JsonReader(json, new JsonReaderOptions { MaxDepth = StoredJson.DepthMax });
        int copied = 0;
        while (reader.Read())
        {
            if (reader.TokenType == JsonTokenType.Number)
            {
                int start = (int)reader.TokenStartIndex;
                target.Write(json[copied..start]);
                copied = start + reader.ValueSpan.Length;
                WriteNumber(target, reader.ValueSpan);
            }
        }

        target.Write(json[copied..]);
    }

    /// <summary>Writes one number plainly.</summary>
    internal static void WriteNumber(ArrayBufferWriter<byte> target, ReadOnlySpan<byte> number)
    {
        string text = Encoding.UTF8.GetString(number);
        const NumberStyles Style = NumberStyles.Float;
        string plain = text.Count(char.IsAsciiDigit) <= DigitsMax
            && decimal.TryParse(text, Style, CultureInfo.InvariantCulture, out decimal exact)
            && (exact != 0 || double.Parse(text, Style, CultureInfo.InvariantCulture) == 0)
                ? (exact == 0 ? 0m : exact).ToString("G29", CultureInfo.InvariantCulture)
                : text;
        target.Write(Encoding.UTF8.GetBytes(plain));
    }
}
