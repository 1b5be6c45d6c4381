using System.Text.Json;
using Raven.Client.Documents.Linq;

namespace Raven.Client.Documents.Queries;

/// <summary>A query whose answer is made of the terms of an index: facets, suggestions. By name.</summary>
internal sealed class TermsQuery<TResult>(QueryRunner runner, PreparedQuery query, Func<TResult, string> nameOf)
{
    private readonly List<string> _items = [];

    internal FieldTranslator Fields { get; } = new(query.Rql, runner.Session.Conventions);

    internal void Add(string item) => _items.Add(item);

    internal async Task<Dictionary<string, TResult>> ExecuteAsync(CancellationToken cancellationToken)
    {
        QueryAnswer answer = await runner.AskAsync(ToIndexQuery(), query.Options, cancellationToken)
            .ConfigureAwait(false);
        return Read(answer);
    }

    internal Func<Task<Dictionary<string, TResult>>> ExecuteLazily() =>
        runner.AskLazily(ToIndexQuery(), query.Options, Read);

    internal IndexQuery ToIndexQuery()
    {
        query.Rql.Select = string.Join(", ", _items);
        return query.ToIndexQuery();
    }

    private Dictionary<string, TResult> Read(QueryAnswer answer) => answer.Results
        .Select(result => result.Deserialize<TResult>(runner.Session.Conventions.Serializer.Options)!)
        .ToDictionary(nameOf);
}
