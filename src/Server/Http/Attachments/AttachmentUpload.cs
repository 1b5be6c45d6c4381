using System.Buffers;
using System.Security.Cryptography;
using Raven.Blittable.Memory;
using Raven.Documents.Attachments;
using Raven.Documents.Rows;

namespace Raven.Server.Http.Attachments;

/// <summary>
/// The bytes of one attachment on their way into storage. Few are kept in memory and stored with the link to them; more
/// are stored in pieces while they arrive, each durable before the next is read, so that memory stays bounded and other
/// writers get their turn in between. Dispose it: an upload that no link took over is dropped.
/// </summary>
internal sealed class AttachmentUpload : IAsyncDisposable
{
    /// <summary>
    /// Bytes of one piece, and the most that are stored together with their link. Of pieces above 64 KB each commit
    /// waits for the data file: writers beside an upload then waited five times as long, and it was slower itself.
    /// </summary>
    internal const int PieceSizeBytes = 60 * 1024;

    private readonly RequestContext _request;
    private readonly IncrementalHash _hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
    private byte[]? _buffer = ArrayPool<byte>.Shared.Rent(PieceSizeBytes);
    private AttachmentUploadCommand? _command;
    private UploadThrottle? _throttle;
    private byte[] _id = [];
    private int _buffered;
    private long _stored;
    private bool _isTaken;

    internal AttachmentUpload(RequestContext request) => _request = request;

    /// <summary>Takes bytes to their end, or a given number.</summary>
    /// <param name="body">Gives the bytes.</param>
    /// <param name="count">How many to take; negative for all to the end.</param>
    /// <param name="cancellation">Ends the waiting for more.</param>
    /// <exception cref="BadRequestException">There are fewer or more than there may be.</exception>
    internal async ValueTask TakeAsync(IBodyBytes body, long count, CancellationToken cancellation)
    {
        long sizeMax = _request.Server.Options.AttachmentSizeBytesMax;
        long left = count < 0 ? long.MaxValue : count;
        if (count > sizeMax)
        {
            throw TooLarge(sizeMax);
        }

        while (left > 0)
        {
            if (body.Current.IsEmpty && !await body.ReadAsync(cancellation).ConfigureAwait(false))
            {
                if (count < 0)
                {
                    return;
                }

                throw new BadRequestException($"The body ends {left} bytes before the attachment does.");
            }

            int length = (int)Math.Min(Math.Min(body.Current.Length, PieceSizeBytes - _buffered), left);
            if (_stored + _buffered + length > sizeMax)
            {
                throw TooLarge(sizeMax);
            }

            body.Current[..length].CopyTo(_buffer.AsSpan(_buffered));
            body.Consume(length);
            _buffered += length;
            left -= length;
            if (_buffered == PieceSizeBytes)
            {
                await StoreAsync().ConfigureAwait(false);
                await _throttle!.WaitAsync(PieceSizeBytes, cancellation).ConfigureAwait(false);
            }
        }
    }

    /// <summary>Ends the upload after all bytes were taken.</summary>
    /// <param name="named">The attachment's name and type.</param>
    /// <param name="arena">The memory of the content.</param>
    /// <param name="isKept">True to keep few bytes in memory until they are linked; otherwise they are
    /// stored too.</param>
    internal async ValueTask<AttachmentContent> FinishAsync(AttachmentContent named, Arena arena, bool isKept = true)
    {
        if ((_command != null || !isKept) && _buffered > 0)
        {
            await StoreAsync().ConfigureAwait(false);
        }

        NativeSlice bytes = Copy(arena, _buffer.AsSpan(0, _buffered));
        _hash.AppendData(bytes.Span);
        NativeSlice hash = arena.Allocate(AttachmentHash.SizeBytes);
        _hash.GetHashAndReset(hash.WritableSpan);
        ReturnBuffer();
        return named with
        {
            Hash = hash,
            Size = _stored + bytes.Length,
            Bytes = bytes,
            UploadId = Copy(arena, _id),
        };
    }

    /// <summary>Called after a link has taken the bytes over.</summary>
    internal void SetTaken() => _isTaken = true;

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        ReturnBuffer();
        if (_command != null && !_isTaken)
        {
            _command.SetDrop();
            await _request.Database.SubmitAsync(_command).ConfigureAwait(false);
        }
    }

    /// <summary>Gives the buffer back: a batch has many uploads, and one that has all of its bytes needs none until it
    /// is linked.</summary>
    private void ReturnBuffer()
    {
        _hash.Dispose();
        if (_buffer != null)
        {
            ArrayPool<byte>.Shared.Return(_buffer);
            _buffer = null;
        }
    }

    private static BadRequestException TooLarge(long sizeMax) =>
        new(413, ErrorType.Argument, $"An attachment has at most {sizeMax} bytes.");

    private static NativeSlice Copy(Arena arena, ReadOnlySpan<byte> bytes)
    {
        if (bytes.IsEmpty)
        {
            return default;
        }

        NativeSlice copy = arena.Allocate(bytes.Length);
        bytes.CopyTo(copy.WritableSpan);
        return copy;
    }

    private async ValueTask StoreAsync()
    {
        if (_command == null)
        {
            _id = Guid.NewGuid().ToByteArray();
            _command = new AttachmentUploadCommand(_id);
            _throttle = new UploadThrottle(() => _request.Database.WritesBesideUploads, _request.Server.Time);
        }

        _hash.AppendData(_buffer!, 0, _buffered);
        _command.SetPiece(_stored, _buffer.AsMemory(0, _buffered));
        await _request.Database.SubmitAsync(_command).ConfigureAwait(false);
        if (!_command.Failure.IsNone)
        {
            throw new BadRequestException(_command.Failure.Describe());
        }

        _stored += _buffered;
        _buffered = 0;
    }
}
