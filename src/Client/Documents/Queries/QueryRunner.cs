using System.Runtime.CompilerServices;
using System.Text.Json;
using Raven.Client.Documents.Commands;
using Raven.Client.Documents.Session;
using Raven.Client.Exceptions.Documents.Indexes;

namespace Raven.Client.Documents.Queries;

/// <summary>Sends a query of a session and makes objects of its results.</summary>
internal sealed class QueryRunner(AsyncDocumentSession session)
{
    internal AsyncDocumentSession Session => session;

    /// <summary>The results; entities are tracked, projections are not.</summary>
    internal async Task<List<T>> ListAsync<T>(
        IndexQuery query, QueryOptions options, CancellationToken cancellationToken)
    {
        QueryAnswer answer = await AskAsync(query, options, cancellationToken).ConfigureAwait(false);
        return ReadAll<T>(answer, options);
    }

    internal Task<List<T>> ListAsync<T>(PreparedQuery query, CancellationToken cancellationToken) =>
        ListAsync<T>(query.ToIndexQuery(), query.Options, cancellationToken);

    internal async Task<long> CountAsync(PreparedQuery query, CancellationToken cancellationToken)
    {
        PreparedQuery counting = query.OfNone();
        QueryAnswer answer = await AskAsync(counting.ToIndexQuery(), counting.Options, cancellationToken)
            .ConfigureAwait(false);
        return query.CountOf(answer.Statistics.TotalResults);
    }

    internal async Task<QueryAnswer> AskAsync(
        IndexQuery query, QueryOptions options, CancellationToken cancellationToken)
    {
        BeforeSent(query, options);
        var command = new QueryCommand(session.Conventions, query) { DisableCaching = query.DisableCaching };
        QueryAnswer? answer = await session.ExecuteAsync(command, cancellationToken).ConfigureAwait(false);
        Absorb(answer!, options);
        return answer!;
    }

    /// <summary>Adds a query to what the session asks in one request.</summary>
    /// <returns>What gives the value, and sends all that waits where that was not done.</returns>
    internal Func<Task<TResult>> AskLazily<TResult>(
        IndexQuery query, QueryOptions options, Func<QueryAnswer, TResult> read)
    {
        BeforeSent(query, options);
        TResult? result = default;
        var request = new InnerRequest(
            "/queries", $"?queryHash={IndexQuery.HashOf(query.ToJson(session.Conventions))}",
            writer => query.Write(writer, session.Conventions));
        Func<Task> send = session.LazyRequests.Add(request, json =>
        {
            if (json.ValueKind != JsonValueKind.Object)
            {
                throw new IndexDoesNotExistException($"There is no index for the query: {query.Query}");
            }

            QueryAnswer answer = QueryAnswer.Parse(json);
            Absorb(answer, options);
            result = read(answer);
        });
        return async () =>
        {
            await send().ConfigureAwait(false);
            return result!;
        };
    }

    internal Func<Task<List<T>>> ListLazily<T>(PreparedQuery query) =>
        AskLazily(query.ToIndexQuery(), query.Options, answer => ReadAll<T>(answer, query.Options));

    internal Func<Task<long>> CountLazily(PreparedQuery query)
    {
        PreparedQuery counting = query.OfNone();
        return AskLazily(
            counting.ToIndexQuery(), counting.Options, answer => query.CountOf(answer.Statistics.TotalResults));
    }

    internal List<T> ReadAll<T>(QueryAnswer answer, QueryOptions options) =>
        [.. answer.Results.Select(result => Read<T>(result, options))];

    internal async IAsyncEnumerable<StreamResult<T>> StreamAsync<T>(
        IndexQuery query, QueryOptions options, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        BeforeSent(query, options);
        DocumentLines? lines = await session.ExecuteAsync(
            new QueryStreamCommand(session.Conventions, query), cancellationToken).ConfigureAwait(false);
        await using ConfiguredAsyncDisposable scope = lines!.ConfigureAwait(false);
        await foreach (JsonElement line in lines!.ReadAsync(cancellationToken).ConfigureAwait(false))
        {
            if (line.TryGetProperty("Item", out JsonElement item))
            {
                JsonElement? metadata = item.TryGetProperty("@metadata", out JsonElement found) ? found : null;
                yield return new StreamResult<T>(
                    SessionCore.IdOf(item), SessionCore.ChangeVectorOf(item), new MetadataDictionary(metadata),
                    Read<T>(item, options with { NoTracking = true }));
            }
            else if (line.TryGetProperty("Stats", out JsonElement facts))
            {
                options.Answered?.Invoke(QueryAnswer.OfStream(facts));
            }
        }
    }

    private static bool IsProjection(JsonElement result) =>
        result.TryGetProperty("@metadata", out JsonElement metadata)
        && metadata.TryGetProperty("@projection", out JsonElement flag) && flag.ValueKind == JsonValueKind.True;

    private void BeforeSent(IndexQuery query, QueryOptions options)
    {
        options.BeforeSent?.Invoke(query);
        session.Events.OnBeforeQuery(session, new BeforeQueryEventArgs(session, query.Query));
    }

    private void Absorb(QueryAnswer answer, QueryOptions options)
    {
        options.Answered?.Invoke(answer);
        session.AbsorbIncludes(answer.Included);
    }

    private T Read<T>(JsonElement result, QueryOptions options)
    {
        if (options.SingleField is { } field)
        {
            return result.TryGetProperty(field, out JsonElement value)
                ? value.Deserialize<T>(session.Conventions.Serializer.Options)!
                : default!;
        }

        if (options.IsProjection || IsProjection(result))
        {
            return (T)session.Conventions.Serializer.FromJson(result, typeof(T), SessionCore.IdOf(result));
        }

        return options.NoTracking
            ? (T)session.Materialize(result, typeof(T), SessionCore.IdOf(result))
            : session.Track<T>(result);
    }
}
