using System.Runtime.CompilerServices;
using System.Text.Json;
using Raven.Client.Documents.Commands;
using Raven.Client.Documents.Session;
using Raven.Client.Exceptions.Documents.Indexes;
using Raven.Client.Json;

namespace Raven.Client.Documents.Queries;

/// <summary>Sends a query of a session and makes objects of its results.</summary>
internal sealed class QueryRunner(AsyncDocumentSession session)
{
    internal AsyncDocumentSession Session => session;

    /// <summary>The results; entities are tracked, projections are not.</summary>
    internal async Task<List<T>> ListAsync<T>(
        IndexQuery query, QueryOptions options, CancellationToken cancellationToken)
    {
        var results = new QueryResults<T>(session, options);
        await AskAsync(query, options, results, cancellationToken).ConfigureAwait(false);
        return results.Items;
    }

    internal Task<List<T>> ListAsync<T>(PreparedQuery query, CancellationToken cancellationToken) =>
        ListAsync<T>(query.ToIndexQuery(), query.Options, cancellationToken);

    internal async Task<long> CountAsync(PreparedQuery query, CancellationToken cancellationToken)
    {
        PreparedQuery counting = query.OfNone();
        QueryAnswer answer = await AskAsync(
            counting.ToIndexQuery(), counting.Options, NoResults.Instance, cancellationToken).ConfigureAwait(false);
        return query.CountOf(answer.Statistics.TotalResults);
    }

    internal async Task<QueryAnswer> AskAsync(
        IndexQuery query, QueryOptions options, IResultReader results, CancellationToken cancellationToken)
    {
        BeforeSent(query, options);
        var command = new QueryCommand(session.Conventions, query) { DisableCaching = query.DisableCaching };
        ReadOnlyMemory<byte> body = await session.ExecuteAsync(command, cancellationToken).ConfigureAwait(false);
        return ReadAnswer(body, options, results);
    }

    /// <summary>Adds a query to the requests that the session sends together.</summary>
    /// <returns>Gives the value; if the waiting requests were not sent yet, it sends them.</returns>
    internal Func<Task<TResult>> AskLazily<TResult>(
        IndexQuery query, QueryOptions options, IResultReader results, Func<QueryAnswer, TResult> read)
    {
        BeforeSent(query, options);
        TResult? result = default;
        var request = new InnerRequest(
            "/queries", $"?queryHash={IndexQuery.HashOf(query.ToJson(session.Conventions))}",
            writer => query.Write(writer, session.Conventions))
        {
            ServerWaitMax = query.WaitForNonStaleResultsTimeout ?? TimeSpan.Zero,
        };
        Func<Task> send = session.LazyRequests.Add(request, json =>
        {
            if (json.ValueKind != JsonValueKind.Object)
            {
                throw new IndexDoesNotExistException($"There is no index for the query: {query.Query}");
            }

            result = read(ReadAnswer(AnswerBody.Copy(json), options, results));
        });
        return async () =>
        {
            await send().ConfigureAwait(false);
            return result!;
        };
    }

    internal Func<Task<List<T>>> ListLazily<T>(PreparedQuery query) =>
        ListLazily<T>(query.ToIndexQuery(), query.Options);

    internal Func<Task<List<T>>> ListLazily<T>(IndexQuery query, QueryOptions options)
    {
        var results = new QueryResults<T>(session, options);
        return AskLazily(query, options, results, _ => results.Items);
    }

    internal Func<Task<long>> CountLazily(PreparedQuery query)
    {
        PreparedQuery counting = query.OfNone();
        return AskLazily(
            counting.ToIndexQuery(), counting.Options, NoResults.Instance,
            answer => query.CountOf(answer.Statistics.TotalResults));
    }

    internal async IAsyncEnumerable<StreamResult<T>> StreamAsync<T>(
        IndexQuery query, QueryOptions options, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        BeforeSent(query, options);
        QueryOptions untracked = options with { NoTracking = true };
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
                    ReadOne<T>(AnswerBody.Copy(item), untracked));
            }
            else if (line.TryGetProperty("Stats", out JsonElement facts))
            {
                options.Answered?.Invoke(QueryAnswer.Read(AnswerBody.Copy(facts), NoResults.Instance));
            }
        }
    }

    private T ReadOne<T>(ReadOnlyMemory<byte> result, QueryOptions options)
    {
        var results = new QueryResults<T>(session, options);
        Utf8JsonReader reader = AnswerBody.Open(result.Span);
        return results.ReadOne(ref reader, result);
    }

    private void BeforeSent(IndexQuery query, QueryOptions options)
    {
        options.BeforeSent?.Invoke(query);
        session.Events.OnBeforeQuery(session, new BeforeQueryEventArgs(session, query.Query));
    }

    private QueryAnswer ReadAnswer(ReadOnlyMemory<byte> body, QueryOptions options, IResultReader results)
    {
        QueryAnswer answer = QueryAnswer.Read(body, results);
        options.Answered?.Invoke(answer);
        session.RegisterIncludes(answer.Included);
        return answer;
    }
}
