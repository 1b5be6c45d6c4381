using System.Text.Json;
using Raven.Client.Http;

namespace Raven.Client.Documents.Operations;

/// <summary>Commands of operations that only send or read JSON.</summary>
internal static class Requests
{
    /// <summary>Reads the answer of a url.</summary>
    internal static SimpleCommand<TResult> Get<TResult>(
        Func<ServerNode, UrlBuilder> url, Func<JsonElement, TResult?> read) => new(
        node => url(node).ToRequest(HttpMethod.Get),
        response => response.IsNotFound ? default : read(response.ReadJson()), isRead: true);

    /// <summary>Reads the answer of a url as an object.</summary>
    internal static SimpleCommand<TResult> Get<TResult>(Func<ServerNode, UrlBuilder> url) =>
        Get(url, WireTypes.Read<TResult>);

    /// <summary>
    /// Sends an object; false if the server answers that the thing that the url names does not exist.
    /// </summary>
    internal static SimpleCommand<bool> Send<TBody>(
        HttpMethod method, Func<ServerNode, UrlBuilder> url, TBody body) => new(
        node => url(node).ToRequest(method, BodyOf(body)), response => !response.IsNotFound, isRead: false);

    /// <summary>
    /// Sends a request without a body; false if the server answers that the thing that the url names does not exist.
    /// </summary>
    internal static SimpleCommand<bool> Send(
        HttpMethod method, Func<ServerNode, UrlBuilder> url, bool missingIsResult = false) => new(
        node => url(node).ToRequest(method), response => !response.IsNotFound, isRead: false)
        {
            NotFoundIsResult = missingIsResult,
        };

    /// <summary>Sends an object and reads the answer.</summary>
    internal static SimpleCommand<TResult> Send<TBody, TResult>(
        HttpMethod method, Func<ServerNode, UrlBuilder> url, TBody body, Func<JsonElement, TResult?> read) => new(
        node => url(node).ToRequest(method, BodyOf(body)), response => read(response.ReadJson()), isRead: false);

    /// <summary>
    /// Sends a request that the server remembers by its id: it has the same one each time that it is sent.
    /// </summary>
    internal static SimpleCommand<TResult> SendRemembered<TResult>(
        Func<ServerNode, string, UrlBuilder> url, Func<JsonElement, TResult?> read)
    {
        string id = Guid.NewGuid().ToString();
        return new SimpleCommand<TResult>(
            node => url(node, id).ToRequest(HttpMethod.Post), response => read(response.ReadJson()), isRead: false)
        {
            IsRememberedByServer = true,
        };
    }

    private static JsonBody? BodyOf<TBody>(TBody body) =>
        body is null ? null : JsonBody.Of(WireTypes.Write(body));
}
