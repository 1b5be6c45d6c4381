using System.Diagnostics.CodeAnalysis;
using System.Linq.Expressions;
using System.Reflection;
using Raven.Client.Documents.Queries;
using Raven.Client.Documents.Queries.Facets;
using Raven.Client.Documents.Session;

namespace Raven.Client.Documents.Linq;

/// <summary>Translates the expressions of queries with the same beginning, and runs them. Immutable.</summary>
internal sealed class RavenQueryProvider(AsyncDocumentSession session, PreparedQuery begin) : IQueryProvider
{
    private static readonly MethodInfo CreateTyped = typeof(RavenQueryProvider)
        .GetMethods().Single(method => method is { Name: nameof(CreateQuery), IsGenericMethod: true });

    internal AsyncDocumentSession Session => session;

    internal QueryRunner Runner { get; } = new(session);

    [UnconditionalSuppressMessage("Trimming", "IL2060:MakeGenericMethod",
        Justification = "The method asks nothing of its type.")]
    public IQueryable CreateQuery(Expression expression)
    {
        Type element = expression.Type.GetGenericArguments()[0];
        return (IQueryable)CreateTyped.MakeGenericMethod(element).Invoke(this, [expression])!;
    }

    public IQueryable<TElement> CreateQuery<TElement>(Expression expression) =>
        new RavenQueryable<TElement>(this, expression);

    public object? Execute(Expression expression) => Execute<object?>(expression);

    public TResult Execute<TResult>(Expression expression) =>
        ExecuteAsync<TResult>(expression, CancellationToken.None).GetAwaiter().GetResult();

    internal PreparedQuery Translate(Expression expression) => TranslatorOf().Translate(expression);

    internal Task<List<T>> ListAsync<T>(Expression expression, CancellationToken cancellationToken) =>
        Runner.ListAsync<T>(Translate(expression), cancellationToken);

    internal IAsyncEnumerable<StreamResult<T>> StreamAsync<T>(
        Expression expression, CancellationToken cancellationToken)
    {
        PreparedQuery query = Translate(expression);
        return Runner.StreamAsync<T>(query.ToIndexQuery(), query.Options, cancellationToken);
    }

    /// <summary>
    /// Runs a query that ends in one value: the first, the only one, whether there is any, how many, or an aggregate of
    /// a field.
    /// </summary>
    internal async Task<TResult> ExecuteAsync<TResult>(Expression expression, CancellationToken cancellationToken)
    {
        PreparedQuery query = TranslatorOf().Translate(expression, out string ending);
        if (ending is "Count" or "LongCount" or "Any" or "All" or "Contains")
        {
            long count = await Runner.CountAsync(query, cancellationToken).ConfigureAwait(false);
            object value = ending switch
            {
                "Any" or "Contains" => count > 0,
                "All" => count == 0,
                "Count" => checked((int)count),
                _ => count,
            };
            return (TResult)value;
        }

        if (ending is "Sum" or "Average")
        {
            var facets = new NamedResults<FacetResult>(facet => facet.Name);
            await Runner.AskAsync(query.ToIndexQuery(), query.Options, facets, cancellationToken).ConfigureAwait(false);
            return QueryNumbers.Read<TResult>(facets.Items.Values, ending == "Sum");
        }

        int most = ending.StartsWith("Single", StringComparison.Ordinal) ? 2 : 1;
        List<TResult> results =
            await Runner.ListAsync<TResult>(query.Of(most), cancellationToken).ConfigureAwait(false);
        return ending switch
        {
            "Min" or "Max" when default(TResult) is null => results.FirstOrDefault()!,
            "Min" or "Max" => results.First(),
            "First" => results.First(),
            "FirstOrDefault" => results.FirstOrDefault()!,
            "Single" => results.Single(),
            _ => results.SingleOrDefault()!,
        };
    }

    private QueryTranslator TranslatorOf() => new(begin.Copy(), session.Conventions);
}
