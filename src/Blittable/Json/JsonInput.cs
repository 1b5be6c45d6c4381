using System.Buffers;
using Raven.Blittable.Format;
using Raven.Blittable.Reading;

namespace Raven.Blittable.Json;

/// <summary>Feeds a parser from the forms of request bodies: sequences of buffers, and streams.</summary>
public static class JsonInput
{
    private const int BufferSizeBytes = 32 * 1024;

    /// <summary>Parses a text that holds one object, in any number of buffers.</summary>
    public static bool TryParse(
        this JsonToBlittable parser, in ReadOnlySequence<byte> json, BlittableMode mode,
        out BlittableObject document, out JsonError error)
    {
        ArgumentNullException.ThrowIfNull(parser);
        if (json.IsSingleSegment)
        {
            return parser.TryParse(json.FirstSpan, mode, out document, out error);
        }

        parser.Begin(mode);
        foreach (ReadOnlyMemory<byte> part in json)
        {
            FeedAll(parser, part.Span);
        }

        return parser.TryFinish(out document, out error);
    }

    /// <summary>Parses a stream that holds one object, up to its end.</summary>
    /// <returns>The document, in the parser's arena.</returns>
    /// <exception cref="InvalidJsonException">The text was refused; the rest of the stream was not read.</exception>
    public static async ValueTask<BlittableObject> ParseAsync(
        this JsonToBlittable parser, Stream json, BlittableMode mode, CancellationToken cancellation = default)
    {
        ArgumentNullException.ThrowIfNull(parser);
        ArgumentNullException.ThrowIfNull(json);
        byte[] buffer = ArrayPool<byte>.Shared.Rent(BufferSizeBytes);
        try
        {
            parser.Begin(mode);
            int read;
            while ((read = await json.ReadAsync(buffer, cancellation).ConfigureAwait(false)) > 0)
            {
                if (!FeedAll(parser, buffer.AsSpan(0, read)))
                {
                    break;
                }
            }
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(buffer);
        }

        return parser.TryFinish(out BlittableObject document, out JsonError error)
            ? document
            : throw new InvalidJsonException(error);
    }

    private static bool FeedAll(JsonToBlittable parser, ReadOnlySpan<byte> part)
    {
        while (part.Length > 0)
        {
            if (parser.Feed(part, out int consumed) == JsonParseStatus.Invalid)
            {
                return false;
            }

            part = part[consumed..];
        }

        return true;
    }
}
