using Raven.Blittable.Contexts;
using Raven.Blittable.Format;
using Raven.Blittable.Json;
using Raven.Blittable.Memory;
using Raven.Blittable.Reading;

namespace Raven.Server.Http.Studio;

/// <summary>
/// A value of a document in a few bytes: the beginning of a text, a number with all of its digits, of an object or an
/// array how many members it has.
/// </summary>
internal static class CutValue
{
    /// <summary>Writes a value.</summary>
    /// <param name="json">Takes it, in the place of a value.</param>
    /// <param name="value">The value.</param>
    /// <param name="charactersMax">How long a text may be.</param>
    /// <param name="scratch">Memory for texts that are stored compressed.</param>
    /// <returns>Whether a text was cut.</returns>
    internal static bool Write(ref JsonOutput json, BlittableValue value, int charactersMax, OperationContext scratch)
    {
        switch (value.Kind)
        {
            case ValueKind.Object:
                WriteCount(ref json, "\"@object\":"u8, value.AsObject().Count);
                return false;
            case ValueKind.Array:
                WriteCount(ref json, "\"@array\":"u8, value.AsArray().Count);
                return false;
            case ValueKind.String:
                NativeSlice text = value.GetUtf8(scratch.Arena);
                int length = LengthOf(text.Span, charactersMax);
                json.String(text.Span[..length]);
                return length < text.Length;
            default:
                json.Value(value);
                return false;
        }
    }

    /// <summary>How many bytes of a text have at most so many characters: none is cut in two.</summary>
    private static int LengthOf(ReadOnlySpan<byte> utf8, int charactersMax)
    {
        if (utf8.Length <= charactersMax)
        {
            return utf8.Length;
        }

        int characters = 0;
        for (int i = 0; i < utf8.Length; i++)
        {
            // Bytes that continue a character begin with the bits 10.
            if ((utf8[i] & 0xC0) != 0x80 && ++characters > charactersMax)
            {
                return i;
            }
        }

        return utf8.Length;
    }

    private static void WriteCount(ref JsonOutput json, ReadOnlySpan<byte> name, int count)
    {
        json.StartObject();
        json.RawName(name);
        json.Number(count);
        json.EndObject();
    }
}
