using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;

namespace Raven.Server.Http.Forwarding;

/// <summary>Connections that become another protocol, as WebSockets do, between a client and another node.</summary>
internal static class Upgrades
{
    private const int BufferSizeBytes = 16 * 1024;

    /// <summary>Whether a request asks for another protocol.</summary>
    internal static bool IsAskedFor(RequestContext request) =>
        request.Headers.Upgrade.Count > 0
        && request.Features.Get<IHttpUpgradeFeature>() is { IsUpgradableRequest: true };

    /// <summary>Answers 101, whose headers are copied, and passes bytes on in both directions until one side ends.
    /// </summary>
    internal static async ValueTask RelayAsync(RequestContext request, HttpResponseMessage answer)
    {
        IHeaderDictionary headers = request.Response.Headers;
        headers.Connection = "Upgrade";
        headers.Upgrade = answer.Headers.Upgrade.ToString();
        CancellationToken aborted = request.Aborted;
        using var ended = CancellationTokenSource.CreateLinkedTokenSource(aborted, request.Server.Stopping);
        Stream other = await answer.Content.ReadAsStreamAsync(ended.Token).ConfigureAwait(false);
        await using (other.ConfigureAwait(false))
        {
            Stream client = await request.Features.Get<IHttpUpgradeFeature>()!.UpgradeAsync().ConfigureAwait(false);
            await using (client.ConfigureAwait(false))
            {
                Task up = CopyAsync(client, other, ended);
                Task down = CopyAsync(other, client, ended);
                await Task.WhenAll(up, down).ConfigureAwait(false);
            }
        }
    }

    /// <summary>Copies until the end of one side, and ends the other direction with it.</summary>
    private static async Task CopyAsync(Stream from, Stream to, CancellationTokenSource ended)
    {
        byte[] buffer = new byte[BufferSizeBytes];
        try
        {
            while (true)
            {
                int count = await from.ReadAsync(buffer, ended.Token).ConfigureAwait(false);
                if (count == 0)
                {
                    break;
                }

                await to.WriteAsync(buffer.AsMemory(0, count), ended.Token).ConfigureAwait(false);
                await to.FlushAsync(ended.Token).ConfigureAwait(false);
            }
        }
        catch (Exception e) when (e is IOException or OperationCanceledException or ObjectDisposedException)
        {
            // One of the two has gone: the other is told by the end of its connection.
        }

        await ended.CancelAsync().ConfigureAwait(false);
    }
}
