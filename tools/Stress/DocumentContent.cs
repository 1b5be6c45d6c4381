using System.Globalization;
using System.Text;
using System.Text.Json;

namespace Raven.Tools.Stress;

/// <summary>
/// What a document of a given id and version holds: a function of the two alone, so that nothing but the version need
/// be
/// remembered to know every byte of it.
/// </summary>
internal static class DocumentContent
{
    private const int PayloadLengthMax = 3000;
    private const string Letters = "abcdefghijklmnopqrstuvwxyz 0123456789-äß€😀";

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

    private static string Payload(string id, long version)
    {
        // Own arithmetic: string.GetHashCode changes from process to process.
        uint state = 2166136261 ^ (uint)version;
        foreach (char letter in id)
        {
            state = (state ^ letter) * 16777619;
        }

        int length = (int)(state % PayloadLengthMax);
        var text = new StringBuilder(length + 2);
        while (text.Length < length)
        {
            state = (state * 1664525) + 1013904223;
            int at = (int)((state >> 8) % (Letters.Length - 1));
            _ = char.IsLowSurrogate(Letters[at]) ? text.Append(Letters, at - 1, 2)
                : char.IsHighSurrogate(Letters[at]) ? text.Append(Letters, at, 2)
                : text.Append(Letters[at]);
        }

        return text.ToString();
    }

    private static string Quote(string text) => $"\"{JsonEncodedText.Encode(text)}\"";
}
