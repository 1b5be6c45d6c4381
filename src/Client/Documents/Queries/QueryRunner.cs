using System.Runtime.CompilerServices;
using System.Text.Json;
using Raven.Client.Documents.Commands;
using Raven.Client.Documents.Session;

namespace Raven.Client.Documents.Queries;

/// <summary>Sends a query of a session and makes objects of its results.</summary>
internal sealed class QueryRunner(AsyncDocumentSession session)
{
    /// <summary>The results; entities are tracked, projections are not.</summary>
    internal async Task<List<T>> RunAsync<T>(
        IndexQuery query, QueryOptions options, CancellationToken cancellationToken)
    {
        QueryAnswer answer = await AskAsync(query, options, cancellationToken).ConfigureAwait(false);
        return [.. answer.Results.Select(result => Read<T>(result, options))];
    }

    internal async Task<QueryAnswer> AskAsync(
        IndexQuery query, QueryOptions options, CancellationToken cancellationToken)
    {
        session.Events.OnBeforeQuery(session, new BeforeQueryEventArgs(session, query.Query));
        var command = new QueryCommand(session.Conventions, query) { DisableCaching = query.DisableCaching };
        QueryAnswer? answer = await session.ExecuteAsync(command, cancellationToken).ConfigureAwait(false);
        Absorb(answer!, options);
        return answer!;
    }

    internal void Absorb(QueryAnswer answer, QueryOptions options)
    {
        options.Statistics.CopyFrom(answer.Statistics);
        session.AbsorbIncludes(answer.Included);
    }

    internal async IAsyncEnumerable<StreamResult<T>> StreamAsync<T>(
        IndexQuery query, QueryOptions options, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        session.Events.OnBeforeQuery(session, new BeforeQueryEventArgs(session, query.Query));
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
        }
    }

    internal T Read<T>(JsonElement result, QueryOptions options)
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

    private static bool IsProjection(JsonElement result) =>
        result.TryGetProperty("@metadata", out JsonElement metadata)
        && metadata.TryGetProperty("@projection", out JsonElement flag) && flag.ValueKind == JsonValueKind.True;
}
