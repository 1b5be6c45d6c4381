using System.Buffers;
using System.Text;
using System.Text.Json;
using System.Text.Unicode;

namespace Raven.Tools.Import.Input;

/// <summary>Finds where a JSON value ends and whether it is strictly valid, depth included.</summary>
internal static class JsonScan
{
    internal const int DepthMax = 128;

    private static readonly JsonReaderOptions Options = new() { MaxDepth = DepthMax };

    internal enum Outcome
    {
        Complete,
        NeedMore,
        Invalid,
    }

    /// <summary>
    /// Looks at the value at the start of the bytes. <paramref name="length"/> is its length, or for an invalid one
    /// where it breaks; with <paramref name="isFinal"/> a value that ends too early is invalid.
    /// </summary>
    internal static Outcome FindEnd(ReadOnlySpan<byte> bytes, bool isFinal, out int length, out string reason)
    {
        length = 0;
        reason = "";
        var reader = new Utf8JsonReader(bytes, isFinal, new JsonReaderState(Options));
        try
        {
            if (!reader.Read() || !Skip(ref reader))
            {
                return Outcome.NeedMore;
            }
        }
        catch (JsonException broken)
        {
            length = OffsetOf(bytes, broken.LineNumber ?? 0, broken.BytePositionInLine ?? 0);
            reason = Describe(broken.Message);
            return Outcome.Invalid;
        }

        length = (int)reader.BytesConsumed;
        if (Utf8.IsValid(bytes[..length]))
        {
            return Outcome.Complete;
        }

        length = FindInvalidUtf8(bytes[..length]);
        reason = "the text is not valid UTF-8";
        return Outcome.Invalid;
    }

    /// <summary>Reads to the end of the value; false if the bytes end before it.</summary>
    private static bool Skip(ref Utf8JsonReader reader)
    {
        int depth = reader.CurrentDepth;
        if (reader.TokenType is not (JsonTokenType.StartObject or JsonTokenType.StartArray))
        {
            return true;
        }

        while (reader.Read())
        {
            if (reader.CurrentDepth == depth && reader.TokenType is (JsonTokenType.EndObject or JsonTokenType.EndArray))
            {
                return true;
            }
        }

        return false;
    }

    private static int OffsetOf(ReadOnlySpan<byte> bytes, long line, long column)
    {
        int start = 0;
        for (; line > 0; line--)
        {
            start += bytes[start..].IndexOf((byte)'\n') + 1;
        }

        return (int)Math.Min(start + column, bytes.Length);
    }

    /// <summary>
    /// The reader's message without its own position, which counts from the document and would mislead.
    /// </summary>
    private static string Describe(string message)
    {
        int position = message.IndexOf(" LineNumber:", StringComparison.Ordinal);
        return position < 0 ? message : message[..position];
    }

    private static int FindInvalidUtf8(ReadOnlySpan<byte> bytes)
    {
        int at = 0;
        while (at < bytes.Length
            && Rune.DecodeFromUtf8(bytes[at..], out _, out int consumed) == OperationStatus.Done)
        {
            at += consumed;
        }

        return at;
    }
}
