namespace Raven.Server.Http;

//   PACE-1  While the server waits for a slow client, nothing is held: neither documents nor index.

/// <summary>
/// Sends a part of a long answer, and has the snapshots given up if that takes long. A fast client gets its results
/// from one snapshot, as long as that is young.
/// </summary>
internal static class ClientBackpressure
{
    /// <summary>The age from which on a stream gives its snapshots up for newer ones, however fast its
    /// client is.</summary>
    internal static readonly TimeSpan SnapshotAgeMax = TimeSpan.FromSeconds(5);

    /// <summary>How long a client may take for a buffer before snapshots are given up.</summary>
    private static readonly TimeSpan SendTimeMax = TimeSpan.FromMilliseconds(250);

    /// <summary>
    /// Sends what is buffered, and waits until the client has taken most of it. A stopping server lets answers go on,
    /// as long as it waits for requests: then their connections are aborted.
    /// </summary>
    /// <param name="request">The request.</param>
    /// <param name="isOld">Whether to give the snapshots up in any case.</param>
    /// <param name="release">Gives the snapshots up.</param>
    /// <param name="renew">Takes new ones, after the wait.</param>
    internal static async ValueTask SendAsync(RequestContext request, bool isOld, Action release, Action renew)
    {
        request.Aborted.ThrowIfCancellationRequested();
        Task sending = request.Response.FlushAsync(CancellationToken.None).AsTask();
        if (await IsSentSoonAsync(request, sending).ConfigureAwait(false) && !isOld)
        {
            await sending.ConfigureAwait(false);
            return;
        }

        release();
        await sending.ConfigureAwait(false);
        request.Aborted.ThrowIfCancellationRequested();
        renew();
    }

    private static async ValueTask<bool> IsSentSoonAsync(RequestContext request, Task sending)
    {
        if (!sending.IsCompleted)
        {
            using var sent = new CancellationTokenSource();
            await Task.WhenAny(sending, Task.Delay(SendTimeMax, request.Server.Time, sent.Token)).ConfigureAwait(false);
            await sent.CancelAsync().ConfigureAwait(false);
        }

        return sending.IsCompleted;
    }
}
