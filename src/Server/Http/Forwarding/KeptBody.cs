using System.Buffers;
using System.IO.Pipelines;
using System.Runtime.CompilerServices;
using Microsoft.AspNetCore.Http.Features;

namespace Raven.Server.Http.Forwarding;

/// <summary>
/// A short body that is read here, and of which a copy is kept: this node may lose its place while it serves the
/// request, and then another one needs the bytes. One per request context, reused; not thread-safe.
/// </summary>
internal sealed class KeptBody : PipeReader, IRequestBodyPipeFeature
{
    private PipeReader? _reader;
    private byte[]? _bytes;
    private int _length;
    private int _count;
    private ReadOnlySequence<byte> _read;

    /// <inheritdoc/>
    PipeReader IRequestBodyPipeFeature.Reader => this;

    /// <summary>Whether a body is kept.</summary>
    internal bool IsKept => _bytes != null;

    /// <summary>Begins to keep the body of a request, which <see cref="HeldBody.IsShort"/>.</summary>
    internal void Begin(RequestContext request)
    {
        _reader = request.Features.Get<IRequestBodyPipeFeature>()!.Reader;
        _length = (int)request.Headers.ContentLength!.Value;
        _bytes = ArrayPool<byte>.Shared.Rent(_length);
        _count = 0;
        request.Features.Set<IRequestBodyPipeFeature>(this);
    }

    /// <summary>Forgets the body.</summary>
    internal void End()
    {
        if (_bytes != null)
        {
            ArrayPool<byte>.Shared.Return(_bytes);
            _bytes = null;
            _reader = null;
            _read = default;
        }
    }

    /// <summary>All of the body: what was read, and the rest, which is read now.</summary>
    internal async ValueTask<HeldBody> TakeAsync(RequestContext request, CancellationToken cancellation)
    {
        request.EndBody();
        while (_count < _length)
        {
            ReadResult result = await BodySource.WaitAsync(this, cancellation).ConfigureAwait(false);
            AdvanceTo(result.Buffer.End);
            if (result.IsCompleted)
            {
                break;
            }
        }

        request.NoteBodyEnd();
        return new HeldBody(_bytes.AsMemory(0, _count).ToArray());
    }

    /// <inheritdoc/>
    public override bool TryRead(out ReadResult result)
    {
        bool isRead = _reader!.TryRead(out result);
        _read = result.Buffer;
        return isRead;
    }

    /// <inheritdoc/>
    public override ValueTask<ReadResult> ReadAsync(CancellationToken cancellationToken = default)
    {
        ValueTask<ReadResult> reading = _reader!.ReadAsync(cancellationToken);
        if (!reading.IsCompletedSuccessfully)
        {
            return WaitAsync(reading);
        }

        ReadResult result = reading.Result;
        _read = result.Buffer;
        return new ValueTask<ReadResult>(result);
    }

    /// <inheritdoc/>
    public override void AdvanceTo(SequencePosition consumed) => AdvanceTo(consumed, consumed);

    /// <inheritdoc/>
    public override void AdvanceTo(SequencePosition consumed, SequencePosition examined)
    {
        ReadOnlySequence<byte> used = _read.Slice(_read.Start, consumed);
        used.CopyTo(_bytes.AsSpan(_count, _length - _count));
        _count += (int)used.Length;
        _read = default;
        _reader!.AdvanceTo(consumed, examined);
    }

    /// <inheritdoc/>
    public override void CancelPendingRead() => _reader!.CancelPendingRead();

    /// <inheritdoc/>
    public override void Complete(Exception? exception = null) => _reader!.Complete(exception);

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    private async ValueTask<ReadResult> WaitAsync(ValueTask<ReadResult> reading)
    {
        ReadResult result = await reading.ConfigureAwait(false);
        _read = result.Buffer;
        return result;
    }
}
