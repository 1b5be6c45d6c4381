using System.Buffers;
using System.IO.Compression;
using System.Net;
using System.Net.Http.Headers;
using System.Text.Json;

namespace Raven.Client.Http;

/// <summary>A JSON body of a request, whole in memory, that can be sent compressed.</summary>
internal sealed class JsonBody : HttpContent
{
    private static readonly MediaTypeHeaderValue JsonType = new("application/json") { CharSet = "utf-8" };

    private readonly ReadOnlyMemory<byte> _bytes;
    private readonly bool _isCompressed;

    private JsonBody(ReadOnlyMemory<byte> bytes, bool isCompressed)
    {
        _bytes = bytes;
        _isCompressed = isCompressed;
        Headers.ContentType = JsonType;
        if (isCompressed)
        {
            Headers.ContentEncoding.Add("gzip");
        }
    }

    internal int Length => _bytes.Length;

    /// <summary>The body that a delegate writes.</summary>
    internal static JsonBody Write(Action<Utf8JsonWriter> write)
    {
        var buffer = new ArrayBufferWriter<byte>(512);
        using (var writer = new Utf8JsonWriter(buffer, JsonFormats.Writer))
        {
            write(writer);
        }

        return new JsonBody(buffer.WrittenMemory, isCompressed: false);
    }

    /// <summary>The body of these bytes.</summary>
    internal static JsonBody Of(ReadOnlyMemory<byte> json) => new(json, isCompressed: false);

    /// <summary>The same, compressed on its way.</summary>
    internal JsonBody Compressed() => new(_bytes, isCompressed: true);

    protected override async Task SerializeToStreamAsync(Stream stream, TransportContext? context)
    {
        if (!_isCompressed)
        {
            await stream.WriteAsync(_bytes).ConfigureAwait(false);
            return;
        }

        var gzip = new GZipStream(stream, CompressionLevel.Fastest, leaveOpen: true);
        await using (gzip.ConfigureAwait(false))
        {
            await gzip.WriteAsync(_bytes).ConfigureAwait(false);
        }
    }

    protected override bool TryComputeLength(out long length)
    {
        length = _bytes.Length;
        return !_isCompressed;
    }
}
