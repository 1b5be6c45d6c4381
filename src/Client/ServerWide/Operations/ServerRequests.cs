using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using Raven.Client.Http;

namespace Raven.Client.ServerWide.Operations;

/// <summary>Commands of operations on certificates and API keys.</summary>
internal static class ServerRequests
{
    /// <summary>Sends a change, with an id by which the server makes it once if it arrives twice.</summary>
    internal static SimpleCommand<TResult> Send<TResult>(
        HttpMethod method, Func<ServerNode, UrlBuilder> url, byte[]? body, Func<RavenResponse, TResult?> read)
    {
        string id = Guid.NewGuid().ToString();
        return new SimpleCommand<TResult>(
            node => url(node).Add("raft-request-id", id)
                .ToRequest(method, body == null ? null : JsonBody.Of(body)),
            read, isRead: false);
    }

    /// <summary>Sends a change; returns whether the server has its subject.</summary>
    internal static SimpleCommand<bool> Send(
        HttpMethod method, Func<ServerNode, UrlBuilder> url, byte[]? body = null) =>
        Send(method, url, body, response => !response.IsNotFound);

    /// <summary>The results that a url lists.</summary>
    internal static SimpleCommand<T[]> GetAll<T>(Func<ServerNode, UrlBuilder> url, JsonTypeInfo<T> type) => new(
        node => url(node).ToRequest(HttpMethod.Get),
        response => response.IsNotFound ? [] : [.. ResultsOf(response, type)], isRead: true);

    /// <summary>The one result that a url lists; null if it lists none.</summary>
    internal static SimpleCommand<T> GetOne<T>(Func<ServerNode, UrlBuilder> url, JsonTypeInfo<T> type)
        where T : class => new(
        node => url(node).ToRequest(HttpMethod.Get),
        response => response.IsNotFound ? null : ResultsOf(response, type).SingleOrDefault(), isRead: true);

    /// <summary>A body, whose nulls are left out.</summary>
    internal static byte[] BodyOf<T>(T body, JsonTypeInfo<T> type) => JsonSerializer.SerializeToUtf8Bytes(body, type);

    private static IEnumerable<T> ResultsOf<T>(RavenResponse response, JsonTypeInfo<T> type) =>
        response.ReadJson().GetProperty("Results").EnumerateArray().Select(one => one.Deserialize(type)!);
}
