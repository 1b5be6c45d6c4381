using System.IO.Compression;
using System.IO.Pipelines;
using System.Net;
using System.Net.Http.Headers;

namespace Raven.Client.Documents.BulkInsert;

/// <summary>
/// A body that is sent as it is written to a pipe; bytes that are not read fill the pipe, and its writer waits.
/// </summary>
internal sealed class PipeContent : HttpContent
{
    private readonly PipeReader _reader;
    private readonly bool _isCompressed;

    internal PipeContent(PipeReader reader, bool isCompressed)
    {
        _reader = reader;
        _isCompressed = isCompressed;
        Headers.ContentType = new MediaTypeHeaderValue("application/json");
        if (isCompressed)
        {
            Headers.ContentEncoding.Add("gzip");
        }
    }

    protected override Task SerializeToStreamAsync(Stream stream, TransportContext? context) =>
        SerializeToStreamAsync(stream, context, CancellationToken.None);

    protected override async Task SerializeToStreamAsync(
        Stream stream, TransportContext? context, CancellationToken cancellationToken)
    {
        Stream target = _isCompressed ? new GZipStream(stream, CompressionLevel.Fastest, leaveOpen: true) : stream;
        try
        {
            await CopyAsync(target, cancellationToken).ConfigureAwait(false);
            if (_isCompressed)
            {
                await target.DisposeAsync().ConfigureAwait(false);
            }

            await _reader.CompleteAsync().ConfigureAwait(false);
        }
        catch (Exception e)
        {
            // The writer gets the exception at its next flush.
            await _reader.CompleteAsync(e).ConfigureAwait(false);
            throw;
        }
    }

    protected override bool TryComputeLength(out long length)
    {
        length = 0;
        return false;
    }

    private async Task CopyAsync(Stream target, CancellationToken cancellationToken)
    {
        while (true)
        {
            ReadResult read = await _reader.ReadAsync(cancellationToken).ConfigureAwait(false);
            foreach (ReadOnlyMemory<byte> part in read.Buffer)
            {
                await target.WriteAsync(part, cancellationToken).ConfigureAwait(false);
            }

            _reader.AdvanceTo(read.Buffer.End);
            if (read.IsCompleted)
            {
                return;
            }

            await target.FlushAsync(cancellationToken).ConfigureAwait(false);
        }
    }
}
