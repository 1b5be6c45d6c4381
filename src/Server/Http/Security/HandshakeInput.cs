using System.IO.Pipelines;

namespace Raven.Server.Http.Security;

//   TLS-3  What a handshake computes waits for its turn, and there are fewer turns than processors: a flood of
//          handshakes leaves room for requests. A handshake that waits for bytes of its peer has no turn.

/// <summary>
/// The input of a connection. During the handshake bytes are passed on when it is their turn, which lasts until more
/// are asked for; afterwards all are passed on as they come. One reader at a time.
/// </summary>
internal sealed class HandshakeInput(PipeReader inner, SemaphoreSlim turns) : PipeReader
{
    private volatile bool _isOver;
    private int _hasTurn;

    /// <inheritdoc/>
    public override ValueTask<ReadResult> ReadAsync(CancellationToken cancellationToken = default) =>
        _isOver ? inner.ReadAsync(cancellationToken) : ReadInTurnAsync(cancellationToken);

    /// <inheritdoc/>
    public override bool TryRead(out ReadResult result)
    {
        if (_isOver)
        {
            return inner.TryRead(out result);
        }

        // Whoever asks goes on to ReadAsync, which waits for the turn.
        result = default;
        return false;
    }

    /// <inheritdoc/>
    public override void AdvanceTo(SequencePosition consumed) => inner.AdvanceTo(consumed);

    /// <inheritdoc/>
    public override void AdvanceTo(SequencePosition consumed, SequencePosition examined) =>
        inner.AdvanceTo(consumed, examined);

    /// <inheritdoc/>
    public override void CancelPendingRead() => inner.CancelPendingRead();

    /// <inheritdoc/>
    public override void Complete(Exception? exception = null)
    {
        End();
        inner.Complete(exception);
    }

    /// <inheritdoc/>
    public override ValueTask CompleteAsync(Exception? exception = null)
    {
        End();
        return inner.CompleteAsync(exception);
    }

    /// <summary>The handshake is over, in whichever way.</summary>
    internal void End()
    {
        _isOver = true;
        GiveBack();
    }

    private async ValueTask<ReadResult> ReadInTurnAsync(CancellationToken cancellationToken)
    {
        GiveBack();
        ReadResult read = await inner.ReadAsync(cancellationToken).ConfigureAwait(false);
        if (!read.Buffer.IsEmpty)
        {
            await turns.WaitAsync(cancellationToken).ConfigureAwait(false);
            Interlocked.Exchange(ref _hasTurn, 1);
            if (_isOver)
            {
                GiveBack();
            }
        }

        return read;
    }

    private void GiveBack()
    {
        if (Interlocked.Exchange(ref _hasTurn, 0) == 1)
        {
            turns.Release();
        }
    }
}
