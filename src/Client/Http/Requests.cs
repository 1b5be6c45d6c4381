using System.Text.Json;

namespace Raven.Client.Http;

/// <summary>Commands of operations that only send or read JSON.</summary>
internal static class Requests
{
    /// <summary>Reads what a url gives.</summary>
    internal static SimpleCommand<TResult> Get<TResult>(
        Func<ServerNode, UrlBuilder> url, Func<JsonElement, TResult?> read) => new(
        node => url(node).ToRequest(HttpMethod.Get),
        response => response.IsNotFound ? default : read(response.ReadJson()), isRead: true);

    /// <summary>Reads what a url gives as an object.</summary>
    internal static SimpleCommand<TResult> Get<TResult>(Func<ServerNode, UrlBuilder> url) =>
        Get(url, json => json.Deserialize<TResult>(JsonFormats.Plain));

    /// <summary>Sends an object, or nothing; says whether what it is about is there.</summary>
    internal static SimpleCommand<bool> Send(
        HttpMethod method, Func<ServerNode, UrlBuilder> url, object? body = null, bool missingIsResult = false) => new(
        node => url(node).ToRequest(method, BodyOf(body)), response => !response.IsNotFound, isRead: false)
        {
            NotFoundIsResult = missingIsResult,
        };

    /// <summary>Sends an object and reads the answer.</summary>
    internal static SimpleCommand<TResult> Send<TResult>(
        HttpMethod method, Func<ServerNode, UrlBuilder> url, object? body, Func<JsonElement, TResult?> read) => new(
        node => url(node).ToRequest(method, BodyOf(body)), response => read(response.ReadJson()), isRead: false);

    private static JsonBody? BodyOf(object? body) => body is null
        ? null
        : JsonBody.Of(JsonSerializer.SerializeToUtf8Bytes(body, body.GetType(), JsonFormats.Plain));
}
