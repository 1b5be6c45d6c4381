using System.Text;
using Raven.Blittable.Format;
using Raven.Blittable.Reading;

namespace Raven.Server.Http.MultiGet;

/// <summary>One request of the body of a multi-get, read and checked.</summary>
internal sealed record InnerRequestFields
{
    /// <summary>The method; GET by default.</summary>
    internal required string Method { get; init; }

    /// <summary>The decoded path, of the same database.</summary>
    internal required string Path { get; init; }

    /// <summary>The query with its <c>?</c>, or empty.</summary>
    internal required string Query { get; init; }

    /// <summary>The body, UTF-8, or empty.</summary>
    internal required byte[] Content { get; init; }

    /// <summary>The headers, each of one text.</summary>
    internal required IReadOnlyList<KeyValuePair<string, string>> Headers { get; init; }

    /// <summary>Reads one request of the list.</summary>
    /// <exception cref="BadRequestException">It is no valid request.</exception>
    internal static InnerRequestFields Parse(BlittableValue source, int index)
    {
        if (!source.TryGetObject(out BlittableObject request))
        {
            throw Wrong(index, "must be an object");
        }

        string url = Text(request, "Url"u8, index) ?? throw Wrong(index, "needs a Url");
        string query = Text(request, "Query"u8, index) ?? "";
        int mark = url.IndexOf('?', StringComparison.Ordinal);
        if (mark >= 0)
        {
            query = query.Length == 0 ? url[mark..] : $"{url[mark..]}&{query.TrimStart('?')}";
            url = url[..mark];
        }

        return new InnerRequestFields
        {
            Method = Text(request, "Method"u8, index) ?? "GET",
            Path = Uri.UnescapeDataString(url),
            Query = query.Length == 0 || query[0] == '?' ? query : "?" + query,
            Content = ContentOf(request, index),
            Headers = HeadersOf(request, index),
        };
    }

    private static byte[] ContentOf(BlittableObject request, int index)
    {
        if (request.TryGet("Content"u8, out BlittableValue content) && content.Kind == ValueKind.Object)
        {
            var json = new System.Buffers.ArrayBufferWriter<byte>();
            Blittable.Json.BlittableToJson.Write(
                content.AsObject(), json, Blittable.Json.JsonOutputOptions.Original);
            return json.WrittenSpan.ToArray();
        }

        return Text(request, "Content"u8, index) is { } text ? Encoding.UTF8.GetBytes(text) : [];
    }

    private static List<KeyValuePair<string, string>> HeadersOf(BlittableObject request, int index)
    {
        List<KeyValuePair<string, string>> headers = [];
        if (!request.TryGet("Headers"u8, out BlittableValue value) || value.IsNull)
        {
            return headers;
        }

        if (!value.TryGetObject(out BlittableObject source))
        {
            throw Wrong(index, "has Headers that are no object");
        }

        for (int i = 0; i < source.Count; i++)
        {
            BlittableProperty property = source.GetProperty(i);
            if (property.Value.TryGetString(out string text))
            {
                headers.Add(new(property.GetName(), text));
            }
        }

        return headers;
    }

    private static string? Text(BlittableObject request, ReadOnlySpan<byte> name, int index)
    {
        if (!request.TryGet(name, out BlittableValue value) || value.IsNull)
        {
            return null;
        }

        return value.TryGetString(out string text)
            ? text
            : throw Wrong(index, $"has a {Encoding.UTF8.GetString(name)} that is no text");
    }

    private static BadRequestException Wrong(int index, string what) =>
        new(400, ErrorType.Argument, $"Requests[{index}] {what}.");
}
