using System.Buffers;
using System.Globalization;
using System.Text;
using System.Text.Json;
using Raven.Storage.Checksums;

namespace Raven.Server.Queries.Results;

/// <summary>Hashes in which no two rows meet by chance, and equal rows do: <c>0</c> and <c>0.0</c> are one
/// number.</summary>
internal static class RowHash
{
    private const int DigitsMax = 28;

    /// <summary>The hash of bytes as they are.</summary>
    internal static UInt128 Of(ReadOnlySpan<byte> bytes) => new(XxHash3.Hash(bytes, 0x51), XxHash3.Hash(bytes, 0xA7));

    /// <summary>The hash of JSON, whose numbers count by their value.</summary>
    internal static UInt128 OfJson(ReadOnlySpan<byte> json)
    {
        if (!NeedsReading(json))
        {
            return Of(json);
        }

        var plain = new ArrayBufferWriter<byte>(json.Length);
        var reader = new Utf8JsonReader(json, new JsonReaderOptions { MaxDepth = StoredJson.DepthMax });
        int copied = 0;
        while (reader.Read())
        {
            if (reader.TokenType == JsonTokenType.Number)
            {
                int start = (int)reader.TokenStartIndex;
                plain.Write(json[copied..start]);
                copied = start + reader.ValueSpan.Length;
                WriteNumber(plain, reader.ValueSpan);
            }
        }

        plain.Write(json[copied..]);
        return Of(plain.WrittenSpan);
    }

    /// <summary>Whether there may be a number that can be written in two ways.</summary>
    private static bool NeedsReading(ReadOnlySpan<byte> json) => json.IndexOfAny(".eE"u8) >= 0;

    private static void WriteNumber(ArrayBufferWriter<byte> target, ReadOnlySpan<byte> number)
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
