using Amazon.S3.Model;
using Raven.Documents.Backups;

namespace Raven.Server.Http.Backups.S3;

/// <summary>Reads an object from its start to its end. Where the connection breaks off, or nothing comes, it goes on by
/// another one. Read asynchronously alone; one thread at a time.</summary>
/// <param name="client">The calls.</param>
/// <param name="key">The object.</param>
/// <param name="length">Its length in bytes: never more is read.</param>
/// <param name="tag">Its version: another one is refused.</param>
internal sealed class S3Reader(S3Client client, string key, long length, string? tag) : Stream
{
    private const int AttemptsMax = 6;

    private static readonly TimeSpan StallMax = TimeSpan.FromMinutes(1);

    private GetObjectResponse? _answer;
    private long _position;
    private int _attempts;

    /// <inheritdoc/>
    public override bool CanRead => true;

    /// <inheritdoc/>
    public override bool CanSeek => false;

    /// <inheritdoc/>
    public override bool CanWrite => false;

    /// <inheritdoc/>
    public override long Length => length;

    /// <inheritdoc/>
    public override long Position
    {
        get => _position;
        set => throw new NotSupportedException();
    }

    /// <inheritdoc/>
    public override async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        Memory<byte> wanted = buffer[..(int)Math.Min(buffer.Length, length - _position)];
        while (wanted.Length > 0)
        {
            try
            {
                _answer ??= await OpenAsync(cancellationToken).ConfigureAwait(false);
                using var stall = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
                stall.CancelAfter(StallMax);
                int read = await _answer.ResponseStream.ReadAsync(wanted, stall.Token).ConfigureAwait(false);
                if (read > 0)
                {
                    _position += read;
                    _attempts = 0;
                    return read;
                }

                throw new IOException($"The answer ends after {_position} of {length} bytes.");
            }
            catch (Exception e) when (S3Client.IsFailure(e) && !cancellationToken.IsCancellationRequested)
            {
                CloseAnswer();
                if (e is BackupPlaceException || ++_attempts == AttemptsMax)
                {
                    throw client.Describe(e);
                }

                await client.PauseAsync(_attempts, cancellationToken).ConfigureAwait(false);
            }
        }

        return 0;
    }

    /// <inheritdoc/>
    public override Task<int> ReadAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken) =>
        ReadAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();

    /// <inheritdoc/>
    public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    /// <inheritdoc/>
    public override void Flush()
    {
    }

    /// <inheritdoc/>
    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    /// <inheritdoc/>
    public override void SetLength(long value) => throw new NotSupportedException();

    /// <inheritdoc/>
    public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    /// <inheritdoc/>
    protected override void Dispose(bool disposing)
    {
        CloseAnswer();
        base.Dispose(disposing);
    }

    private async Task<GetObjectResponse> OpenAsync(CancellationToken cancellation)
    {
        GetObjectResponse answer = await client.CallAsync(
            (s3, stop) => s3.GetObjectAsync(
                new GetObjectRequest
                {
                    BucketName = client.Settings.Bucket,
                    Key = key,
                    EtagToMatch = tag,
                    ByteRange = _position == 0 ? null : new Amazon.S3.Model.ByteRange(_position, length - 1),
                },
                stop),
            StallMax, cancellation).ConfigureAwait(false);
        if (answer.ContentLength != length - _position)
        {
            answer.Dispose();
            throw new BackupPlaceException(
                $"{client.Settings.Description} gives {answer.ContentLength} bytes of '{key}', and not "
                + $"{length - _position}.");
        }

        return answer;
    }

    private void CloseAnswer()
    {
        _answer?.Dispose();
        _answer = null;
    }
}
