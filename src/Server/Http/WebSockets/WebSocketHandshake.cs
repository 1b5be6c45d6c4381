using System.Diagnostics.CodeAnalysis;
using System.Security.Cryptography;
using System.Text;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;

namespace Raven.Server.Http.WebSockets;

/// <summary>Turns a request into a WebSocket (RFC 6455, 4.2). No extension is accepted, whatever is offered.</summary>
internal static class WebSocketHandshake
{
    private const int KeyLength = 24;

    private static ReadOnlySpan<byte> Salt => "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"u8;

    /// <summary>Answers 101, and returns the stream of the connection.</summary>
    /// <exception cref="BadRequestException">The request does not ask for a WebSocket, or not correctly.</exception>
    internal static async ValueTask<Stream> AcceptAsync(RequestContext request)
    {
        IHttpUpgradeFeature? upgrade = request.Features.Get<IHttpUpgradeFeature>();
        IHeaderDictionary headers = request.Headers;
        if (upgrade is not { IsUpgradableRequest: true }
            || !headers.Upgrade.ToString().Equals("websocket", StringComparison.OrdinalIgnoreCase))
        {
            request.Response.Headers.Upgrade = "websocket";
            throw new BadRequestException(
                426, ErrorType.BadRequest, "This is a WebSocket: ask for it with Upgrade: websocket.");
        }

        if (headers.SecWebSocketVersion != "13")
        {
            request.Response.Headers.SecWebSocketVersion = "13";
            throw new BadRequestException(426, ErrorType.BadRequest, "Sec-WebSocket-Version must be 13.");
        }

        if (!TryAnswer(headers.SecWebSocketKey.ToString(), out string? accept))
        {
            throw new BadRequestException("Sec-WebSocket-Key must be 16 bytes in base64.");
        }

        IHeaderDictionary answer = request.Response.Headers;
        answer.Upgrade = "websocket";
        answer.Connection = "Upgrade";
        answer.SecWebSocketAccept = accept;
        return await upgrade.UpgradeAsync().ConfigureAwait(false);
    }

    [SuppressMessage(
        "Security", "CA5350:Do Not Use Weak Cryptographic Algorithms", Justification = "RFC 6455 asks for SHA-1.")]
    private static bool TryAnswer(string key, [NotNullWhen(true)] out string? accept)
    {
        accept = null;
        Span<byte> random = stackalloc byte[18];
        if (key.Length != KeyLength || !Convert.TryFromBase64String(key, random, out int length) || length != 16)
        {
            return false;
        }

        Span<byte> salted = stackalloc byte[KeyLength + Salt.Length];
        Encoding.ASCII.GetBytes(key, salted);
        Salt.CopyTo(salted[KeyLength..]);
        Span<byte> hash = stackalloc byte[SHA1.HashSizeInBytes];
        SHA1.HashData(salted, hash);
        accept = Convert.ToBase64String(hash);
        return true;
    }
}
