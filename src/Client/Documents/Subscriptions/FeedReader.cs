using System.Runtime.CompilerServices;
using System.Text.Json;
using Raven.Client.Documents.Operations;
using Raven.Client.Http;

namespace Raven.Client.Documents.Subscriptions;

/// <summary>Reads a feed page by page.</summary>
internal static class FeedReader
{
    /// <summary>How long the server waits for changes: less than a request may take.</summary>
    private const string Wait = "5s";

    /// <summary>Gives the changes one by one.</summary>
    internal static async IAsyncEnumerable<FeedChange<T>> ReadAsync<T>(
        DocumentStore store, string database, FeedOptions options,
        [EnumeratorCancellation] CancellationToken cancellationToken) where T : class
    {
        RequestExecutor executor = store.GetRequestExecutor(database);
        string? token = options.Since;
        string? collection = options.Query is null ? store.Conventions.GetCollectionName(typeof(T)) : null;
        while (true)
        {
            string? since = token;
            JsonElement page = await executor.ExecuteAsync(
                Requests.Get<JsonElement>(
                    node => new UrlBuilder(node, "/feed").Add("collection", collection).Add("query", options.Query)
                        .Add("since", since).Add("limit", options.PageSize).Add("deletes", options.Deletions)
                        .Add("wait", options.EndsWhenEmpty ? null : Wait),
                    json => json),
                cancellationToken).ConfigureAwait(false);
            bool isEmpty = true;
            foreach (JsonElement line in page.GetProperty("Results").EnumerateArray())
            {
                isEmpty = false;
                yield return ChangeOf<T>(store, line);
            }

            token = page.GetProperty("Token").GetString();
            if (isEmpty && options.EndsWhenEmpty && token == since)
            {
                yield break;
            }
        }
    }

    private static FeedChange<T> ChangeOf<T>(DocumentStore store, JsonElement line) where T : class
    {
        string id = line.GetProperty("Id").GetString()!;
        T? document = line.TryGetProperty("Doc", out JsonElement json)
            ? (T)store.Conventions.Serializer.FromJson(json, typeof(T), id)
            : null;
        return new FeedChange<T>(
            line.GetProperty("Token").GetString()!, id, line.GetProperty("ChangeVector").GetString()!, document);
    }
}
