using Raven.Client.Documents.Linq;

namespace Raven.Client.Documents.Queries;

/// <summary>A query whose results are made of terms of an index and have names: facets, suggestions.</summary>
internal sealed class TermsQuery<TResult>(QueryRunner runner, PreparedQuery query, Func<TResult, string> nameOf)
{
    private readonly List<string> _items = [];

    internal FieldTranslator Fields { get; } = new(query.Rql, runner.Session.Conventions);

    internal void Add(string item) => _items.Add(item);

    internal async Task<Dictionary<string, TResult>> ExecuteAsync(CancellationToken cancellationToken)
    {
        var results = new NamedResults<TResult>(nameOf);
        await runner.AskAsync(ToIndexQuery(), query.Options, results, cancellationToken).ConfigureAwait(false);
        return results.Items;
    }

    internal Func<Task<Dictionary<string, TResult>>> ExecuteLazily()
    {
        var results = new NamedResults<TResult>(nameOf);
        return runner.AskLazily(ToIndexQuery(), query.Options, results, _ => results.Items);
    }

    internal IndexQuery ToIndexQuery()
    {
        query.Rql.Select = string.Join(", ", _items);
        return query.ToIndexQuery();
    }
}
