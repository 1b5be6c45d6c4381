using System.Globalization;
using System.Text;
using System.Text.Json;

namespace Raven.Tools.Stress;

/// <summary>
/// What a document of a given id and version holds: a function of the two alone, so that nothing but the version need
/// be remembered to know every byte of it.
/// </summary>
internal static class DocumentContent
{
    private const int PayloadLengthMax = 3000;
    private const int TextLength = 64 * 1024;
    private const string Letters = "abcdefghijklmnopqrstuvwxyz 0123456789-äß€";
    private const string Emoji = "😀"; // two chars; half of one at the edge of a piece is trimmed
    private static readonly string Text = CreateText();

    /// <summary>The document as JSON, with its collection.</summary>
    internal static string Create(string id, long version) => string.Create(
        CultureInfo.InvariantCulture, $"{{\"Key\":{Quote(id)},\"Version\":{version},")
        + $"\"Payload\":{Quote(Payload(id, version))},\"@metadata\":{{\"@collection\":\"Stress\"}}}}";

    /// <summary>
    /// The version of a stored document, if it is whole: all its properties, and the payload of that very version.
    /// </summary>
    internal static bool TryGetVersion(string id, JsonElement document, out long version)
    {
        version = -1;
        return document.TryGetProperty("Version", out JsonElement number) && number.TryGetInt64(out version)
            && document.TryGetProperty("Key", out JsonElement key) && key.GetString() == id
            && document.TryGetProperty("Payload", out JsonElement payload)
            && payload.GetString() == Payload(id, version);
    }

    /// <summary>A piece of the text; its start and length depend on every bit of id and version.</summary>
    private static string Payload(string id, long version)
    {
        // Own arithmetic: string.GetHashCode changes from process to process.
        ulong hash = 14695981039346656037 ^ (ulong)version;
        foreach (char letter in id)
        {
            hash = (hash ^ letter) * 1099511628211;
        }

        hash ^= hash >> 29;
        int length = (int)(hash % PayloadLengthMax);
        int start = (int)((hash >> 16) % (ulong)(Text.Length - length));
        return string.Create(
            CultureInfo.InvariantCulture, $"{hash:x16} {Text.AsSpan(start, length).Trim(Emoji)}");
    }

    private static string CreateText()
    {
        uint state = 1;
        var text = new StringBuilder();
        while (text.Length < TextLength)
        {
            state = (state * 1664525) + 1013904223;
            int at = (int)((state >> 8) % (uint)(Letters.Length + 1));
            _ = at == Letters.Length ? text.Append(Emoji) : text.Append(Letters[at]);
        }

        return text.ToString();
    }

    private static string Quote(string text) => $"\"{JsonEncodedText.Encode(text)}\"";
}
