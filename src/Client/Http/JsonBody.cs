using System.IO.Compression;
using System.Net;
using System.Text.Json;
using Raven.Client.Json;

namespace Raven.Client.Http;

/// <summary>A JSON body of a request, whole in memory, that can be sent compressed.</summary>
internal sealed class JsonBody : HttpContent
{
    private readonly ReadOnlyMemory<byte> _bytes;
    private readonly bool _isCompressed;

    private JsonBody(ReadOnlyMemory<byte> bytes, bool isCompressed)
    {
        _bytes = bytes;
        _isCompressed = isCompressed;
        Headers.TryAddWithoutValidation("Content-Type", "application/json; charset=utf-8");
        if (isCompressed)
        {
            Headers.ContentEncoding.Add("gzip");
        }
    }

    internal int Length => _bytes.Length;

    /// <summary>The body that a function writes.</summary>
    internal static JsonBody Write(Action<Utf8JsonWriter> write) =>
        new(JsonScratch.Write(write, static (writer, it) => it(writer)), isCompressed: false);

    /// <summary>The body of these bytes.</summary>
    internal static JsonBody Of(ReadOnlyMemory<byte> json) => new(json, isCompressed: false);

    /// <summary>The same body, compressed when it is sent.</summary>
    internal JsonBody Compressed() => new(_bytes, isCompressed: true);

    protected override Task SerializeToStreamAsync(Stream stream, TransportContext? context) =>
        SerializeToStreamAsync(stream, context, CancellationToken.None);

    protected override Task SerializeToStreamAsync(
        Stream stream, TransportContext? context, CancellationToken cancellationToken) =>
        _isCompressed ? CompressAsync(stream, cancellationToken)
            : stream.WriteAsync(_bytes, cancellationToken).AsTask();

    protected override bool TryComputeLength(out long length)
    {
        length = _bytes.Length;
        return !_isCompressed;
    }

    private async Task CompressAsync(Stream stream, CancellationToken cancellationToken)
    {
        var gzip = new GZipStream(stream, CompressionLevel.Fastest, leaveOpen: true);
        await using (gzip.ConfigureAwait(false))
        {
            await gzip.WriteAsync(_bytes, cancellationToken).ConfigureAwait(false);
        }
    }
}
