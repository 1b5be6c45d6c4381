using Raven.Blittable.Format;
using Raven.Blittable.Json;
using Raven.Blittable.Reading;

namespace Raven.Server.Http.Studio;

/// <summary>
/// A value of a document in a few bytes: the beginning of a text, a number with all of its digits, of an object or an
/// array how many members it has.
/// </summary>
internal static class CutValue
{
    private const int CharacterBytesMax = 4;

    /// <summary>Writes a value.</summary>
    /// <param name="json">Takes it, in the place of a value.</param>
    /// <param name="value">The value.</param>
    /// <param name="charactersMax">How long a text may be.</param>
    /// <returns>Whether a text was cut.</returns>
    internal static bool Write(ref JsonOutput json, BlittableValue value, int charactersMax)
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
                return WriteText(ref json, value, charactersMax);
            default:
                json.Value(value);
                return false;
        }
    }

    private static bool WriteText(ref JsonOutput json, BlittableValue value, int charactersMax)
    {
        // Room for one character more, by which a text shows that it is longer.
        Span<byte> room = stackalloc byte[(charactersMax + 1) * CharacterBytesMax];
        ReadOnlySpan<byte> text = room[..value.CopyUtf8StartTo(room)];
        int length = LengthOf(text, charactersMax);
        json.String(text[..length]);
        return length < text.Length;
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
