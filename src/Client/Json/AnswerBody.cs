using System.Runtime.InteropServices;
using System.Text.Json;

namespace Raven.Client.Json;

/// <summary>Values within the body of an answer, which is read once and not copied.</summary>
internal static class AnswerBody
{
    /// <summary>A reader at the first token of a body.</summary>
    /// <exception cref="JsonException">The body is no JSON.</exception>
    internal static Utf8JsonReader Open(ReadOnlySpan<byte> body)
    {
        var reader = new Utf8JsonReader(body, DocumentHead.ReaderOptions);
        reader.Read();
        return reader;
    }

    /// <summary>Refuses a body that is no JSON object by its first byte, such as the page of a proxy.</summary>
    /// <exception cref="JsonException">The body is no JSON object.</exception>
    internal static void RequireObject(ReadOnlySpan<byte> body)
    {
        if (!body.TrimStart(" \t\r\n"u8).StartsWith("{"u8))
        {
            throw new JsonException("The answer is no JSON object.");
        }
    }

    /// <summary>The bytes of a value; nothing for null.</summary>
    /// <param name="reader">At the first token of the value; at its last one afterwards.</param>
    /// <param name="body">What the reader reads.</param>
    internal static ReadOnlyMemory<byte> ReadRaw(ref Utf8JsonReader reader, ReadOnlyMemory<byte> body)
    {
        int start = (int)reader.TokenStartIndex;
        bool isNull = reader.TokenType == JsonTokenType.Null;
        reader.Skip();
        return isNull ? default : body[start..(int)reader.BytesConsumed];
    }

    /// <summary>A copy of the bytes of an element; nothing if it is no object or list.</summary>
    internal static ReadOnlyMemory<byte> Copy(JsonElement element) =>
        element.ValueKind is JsonValueKind.Object or JsonValueKind.Array
            ? JsonMarshal.GetRawUtf8Value(element).ToArray()
            : default;
}
