using System.IO.Pipelines;
using System.Net;

namespace Raven.Server.Http.Forwarding;

/// <summary>
/// The body of a client's request on its way to another node: piece by piece as it arrives, so that a body may be of
/// any length, and need not end before there is an answer. It can be sent once.
/// </summary>
internal sealed class ForwardedBody : HttpContent
{
    private readonly PipeReader _reader;
    private readonly long? _length;
    private readonly CancellationTokenSource _end = new();
    private readonly TaskCompletionSource _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private int _isBegun;

    internal ForwardedBody(PipeReader reader, long? length)
    {
        _reader = reader;
        _length = length;
    }

    /// <summary>Whether a byte of it may have been taken from the client.</summary>
    internal bool IsBegun => Volatile.Read(ref _isBegun) != 0;

    /// <summary>Whether all of it was sent.</summary>
    internal bool IsSent { get; private set; }

    /// <summary>Why the client's part failed; null if it did not.</summary>
    internal Exception? Failure { get; private set; }

    /// <summary>Stops reading from the client, and waits until nobody does: the request may end then.</summary>
    internal async ValueTask EndAsync()
    {
        await _end.CancelAsync().ConfigureAwait(false);
        if (Interlocked.Exchange(ref _isBegun, 1) != 0)
        {
            await _ended.Task.ConfigureAwait(false);
        }
    }

    /// <inheritdoc/>
    protected override Task SerializeToStreamAsync(Stream stream, TransportContext? context) =>
        SerializeToStreamAsync(stream, context, CancellationToken.None);

    /// <inheritdoc/>
    protected override async Task SerializeToStreamAsync(
        Stream stream, TransportContext? context, CancellationToken cancellationToken)
    {
        if (Interlocked.Exchange(ref _isBegun, 1) != 0)
        {
            throw new InvalidOperationException("The body of a client was sent already, or its request has ended.");
        }

        try
        {
            using var linked = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken, _end.Token);
            await CopyAsync(stream, linked.Token).ConfigureAwait(false);
            IsSent = true;
        }
        finally
        {
            _ended.TrySetResult();
        }
    }

    /// <inheritdoc/>
    protected override bool TryComputeLength(out long length)
    {
        length = _length ?? 0;
        return _length != null;
    }

    private async Task CopyAsync(Stream stream, CancellationToken cancellation)
    {
        while (true)
        {
            ReadResult result;
            try
            {
                result = await BodySource.WaitAsync(_reader, cancellation).ConfigureAwait(false);
            }
            catch (Exception e) when (e is not OperationCanceledException)
            {
                Failure = e;
                throw;
            }

            foreach (ReadOnlyMemory<byte> piece in result.Buffer)
            {
                await stream.WriteAsync(piece, cancellation).ConfigureAwait(false);
            }

            _reader.AdvanceTo(result.Buffer.End);
            if (result.IsCompleted)
            {
                return;
            }

            await stream.FlushAsync(cancellation).ConfigureAwait(false);
        }
    }
}
