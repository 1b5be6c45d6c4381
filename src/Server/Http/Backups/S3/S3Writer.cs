using Amazon.S3;
using Amazon.S3.Model;
using Raven.Documents.Backups;

namespace Raven.Server.Http.Backups.S3;

//   S3-3  An object is there when all of it is: a small one by one call, a large one in parts of one size, three at a
//         time, that are put together by the last call. What fails, or is cancelled, takes its parts away again.

/// <summary>Writes an object.</summary>
/// <param name="client">The calls.</param>
/// <param name="key">The object.</param>
/// <param name="lengthExpected">How many bytes it may become.</param>
/// <param name="cancellation">Ends it.</param>
internal sealed class S3Writer(S3Client client, string key, long lengthExpected, CancellationToken cancellation)
    : BackupFileStream
{
    private const int PartsMax = 10_000;
    private const int AtOnce = 3;
    private const int PartBytesMax = 64 << 20;

    private static readonly TimeSpan PartMax = TimeSpan.FromMinutes(10);
    private static readonly TimeSpan AbortMax = TimeSpan.FromSeconds(20);

    private readonly int _partBytes = PartBytesFor(lengthExpected, client.PartBytesMin);
    private readonly List<Task<PartETag>> _parts = [];
    private readonly SemaphoreSlim _places = new(AtOnce);
    private readonly CancellationTokenSource _stop = CancellationTokenSource.CreateLinkedTokenSource(cancellation);
    private MemoryStream _part = new();
    private long _length;
    private string? _uploadId;
    private bool _isComplete;
    private bool _isDisposed;

    /// <summary>The size of the parts of an object: such that 10,000 of them are enough, if they may be.</summary>
    internal static int PartBytesFor(long length, int min)
    {
        const int unit = 1 << 20;
        long each = length / (PartsMax - 1_000) / unit * unit;
        return (int)Math.Clamp(each, min, PartBytesMax);
    }

    /// <inheritdoc/>
    public override void Write(ReadOnlySpan<byte> buffer)
    {
        _part.Write(buffer);
        _length += buffer.Length;
    }

    /// <inheritdoc/>
    public override async ValueTask WriteAsync(
        ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
    {
        while (buffer.Length > 0)
        {
            cancellationToken.ThrowIfCancellationRequested();
            _stop.Token.ThrowIfCancellationRequested();
            if (_part.Length >= _partBytes)
            {
                await UploadAsync().ConfigureAwait(false);
            }

            int count = (int)Math.Min(buffer.Length, _partBytes - _part.Length);
            Write(buffer.Span[..count]);
            buffer = buffer[count..];
        }
    }

    /// <inheritdoc/>
    public override async ValueTask CompleteAsync(CancellationToken cancellation)
    {
        cancellation.ThrowIfCancellationRequested();
        if (_uploadId == null)
        {
            await PutAsync().ConfigureAwait(false);
        }
        else
        {
            if (_part.Length > 0)
            {
                await UploadAsync().ConfigureAwait(false);
            }

            PartETag[] parts = await Task.WhenAll(_parts).ConfigureAwait(false);
            await JoinAsync([.. parts]).ConfigureAwait(false);
        }

        _isComplete = true;
    }

    /// <inheritdoc/>
    public override async ValueTask DisposeAsync()
    {
        if (!_isDisposed)
        {
            _isDisposed = true;
            await _stop.CancelAsync().ConfigureAwait(false);
            await Task.WhenAll(_parts.Select(static part => part.ContinueWith(
                static ended => ended.Exception, CancellationToken.None, TaskContinuationOptions.None,
                TaskScheduler.Default))).ConfigureAwait(false);
            if (!_isComplete && _uploadId is { } id)
            {
                await AbortAsync(id).ConfigureAwait(false);
            }

            _places.Dispose();
            _stop.Dispose();
            await _part.DisposeAsync().ConfigureAwait(false);
        }

        await base.DisposeAsync().ConfigureAwait(false);
    }

    private async Task AbortAsync(string id)
    {
        using var stop = new CancellationTokenSource(AbortMax);
        try
        {
            await S3Files.AbortAsync(client, key, id, stop.Token).ConfigureAwait(false);
        }
        catch (Exception e) when (e is BackupException or OperationCanceledException)
        {
            // The failure before is the one to report; the next run of the folder takes the parts away.
        }
    }

    private async Task PutAsync() => await client.CallAsync(
        (s3, stop) => s3.PutObjectAsync(
            new PutObjectRequest
            {
                BucketName = client.Settings.Bucket,
                Key = key,
                InputStream = Body(_part),
                StorageClass = Class(),
                UseChunkEncoding = false,
                DisablePayloadSigning = false,
            },
            stop),
        PartMax, _stop.Token).ConfigureAwait(false);

    /// <summary>Sends the part that was collected, when there is a place for it.</summary>
    private async Task UploadAsync()
    {
        if (_parts.Count == PartsMax)
        {
            throw new BackupPlaceException(
                $"'{key}' has more than {PartsMax} parts of {_partBytes} bytes, which no server of S3 takes.");
        }

        _uploadId ??= (await client.CallAsync(
            (s3, stop) => s3.InitiateMultipartUploadAsync(
                new InitiateMultipartUploadRequest
                {
                    BucketName = client.Settings.Bucket, Key = key, StorageClass = Class(),
                },
                stop),
            S3Destination.CallMax, _stop.Token).ConfigureAwait(false)).UploadId;
        await _places.WaitAsync(_stop.Token).ConfigureAwait(false);
        foreach (Task<PartETag> failed in _parts.Where(static part => part.IsFaulted))
        {
            await failed.ConfigureAwait(false);
        }

        MemoryStream part = _part;
        _part = new MemoryStream(_partBytes);
        _parts.Add(UploadAsync(part, _parts.Count + 1));
    }

    private async Task<PartETag> UploadAsync(MemoryStream part, int number)
    {
        try
        {
            UploadPartResponse answer = await client.CallAsync(
                (s3, stop) => s3.UploadPartAsync(
                    new UploadPartRequest
                    {
                        BucketName = client.Settings.Bucket,
                        Key = key,
                        UploadId = _uploadId,
                        PartNumber = number,
                        PartSize = part.Length,
                        InputStream = Body(part),
                        UseChunkEncoding = false,
                        DisablePayloadSigning = false,
                    },
                    stop),
                PartMax, _stop.Token).ConfigureAwait(false);
            return new PartETag(number, answer.ETag);
        }
        finally
        {
            _places.Release();
            await part.DisposeAsync().ConfigureAwait(false);
        }
    }

    private async Task JoinAsync(List<PartETag> parts)
    {
        try
        {
            await client.CallAsync(
                (s3, stop) => s3.CompleteMultipartUploadAsync(
                    new CompleteMultipartUploadRequest
                    {
                        BucketName = client.Settings.Bucket, Key = key, UploadId = _uploadId, PartETags = parts,
                    },
                    stop),
                PartMax, _stop.Token).ConfigureAwait(false);
        }
        catch (BackupPlaceException e) when (S3Client.IsMissing(e))
        {
            // An answer that was lost: the upload has ended by then. What is there is compared with its hash later.
            GetObjectMetadataResponse there = await client.CallAsync(
                (s3, stop) => s3.GetObjectMetadataAsync(
                    new GetObjectMetadataRequest { BucketName = client.Settings.Bucket, Key = key }, stop),
                S3Destination.CallMax, _stop.Token).ConfigureAwait(false);
            if (there.ContentLength != _length)
            {
                throw;
            }
        }
    }

    private S3StorageClass? Class() => client.Settings.StorageClass is { } name ? new S3StorageClass(name) : null;

    /// <summary>The bytes of a part as a stream of their own, which a call closes.</summary>
    private static MemoryStream Body(MemoryStream part) =>
        new(part.GetBuffer(), 0, (int)part.Length, writable: false);
}
