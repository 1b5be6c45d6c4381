using Raven.Documents;

namespace Raven.Server.Http;

/// <summary>The snapshot that a long list is read from: a new one after each wait for a slow client.</summary>
internal sealed class RenewedSnapshot(RequestContext request) : IDisposable
{
    private DocumentSnapshot? _current = request.BeginRead();

    /// <summary>The snapshot; valid until the next <see cref="SendAsync"/>.</summary>
    internal DocumentSnapshot Current => _current!;

    /// <summary>Whether it is not the first one any more: handles of that one are invalid.</summary>
    internal bool IsRenewed { get; private set; }

    /// <summary>Whether it is time to send.</summary>
    internal bool IsFull => request.Response.BufferedBytes > request.Server.ResponseBufferBytesMax;

    /// <summary>Sends what is buffered.</summary>
    /// <param name="keep">Called before the first snapshot ends, to copy what is still needed.</param>
    internal ValueTask SendAsync(Action keep) =>
        ClientBackpressure.SendAsync(request, isOld: false, () => Release(keep), Renew);

    /// <inheritdoc/>
    public void Dispose() => _current?.Dispose();

    private void Release(Action keep)
    {
        if (!IsRenewed)
        {
            keep();
        }

        _current?.Dispose();
        _current = null;
    }

    private void Renew()
    {
        _current = request.BeginRead();
        IsRenewed = true;
    }
}
