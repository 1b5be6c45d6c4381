using System.Linq.Expressions;
using System.Reflection;
using Raven.Client.Documents.Queries;
using Raven.Client.Documents.Session;

namespace Raven.Client.Documents.Linq;

/// <summary>Translates the expressions of one query and runs them; what was customized is kept here.</summary>
internal sealed class RavenQueryProvider(AsyncDocumentSession session, string? source, bool isIndex) : IQueryProvider
{
    private static readonly MethodInfo CreateTyped = typeof(RavenQueryProvider)
        .GetMethods().Single(method => method is { Name: nameof(CreateQuery), IsGenericMethod: true });

    private readonly QueryRunner _runner = new(session);

    internal AsyncDocumentSession Session => session;

    internal QueryStatistics Statistics { get; } = new();

    internal TimeSpan? Wait { get; set; }

    internal bool IsUntracked { get; set; }

    internal bool IsUncached { get; set; }

    internal string? RandomOrder { get; set; }

    internal string? Source => source;

    internal bool IsIndex => isIndex;

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

    internal LinqQuery Translate(Expression expression) => new QueryTranslator(this).Translate(expression);

    internal async Task<List<T>> ListAsync<T>(Expression expression, CancellationToken cancellationToken)
    {
        LinqQuery query = Translate(expression);
        return await _runner.RunAsync<T>(query.ToIndexQuery(), query.Options, cancellationToken).ConfigureAwait(false);
    }

    internal IAsyncEnumerable<StreamResult<T>> StreamAsync<T>(
        Expression expression, CancellationToken cancellationToken)
    {
        LinqQuery query = Translate(expression);
        return _runner.StreamAsync<T>(query.ToIndexQuery(), query.Options, cancellationToken);
    }

    /// <summary>Runs a query that ends in one value: the first, the only one, whether there is any, how many.</summary>
    internal async Task<TResult> ExecuteAsync<TResult>(Expression expression, CancellationToken cancellationToken)
    {
        LinqQuery query = Translate(expression);
        IndexQuery text = query.ToIndexQuery();
        if (query.Ending is "Count" or "LongCount" or "Any")
        {
            QueryAnswer answer =
                await _runner.AskAsync(text, query.Options, cancellationToken).ConfigureAwait(false);
            long count = query.CountOf(answer.Statistics.TotalResults);
            object value = query.Ending switch
            {
                "Any" => count > 0,
                "Count" => checked((int)count),
                _ => count,
            };
            return (TResult)value;
        }

        List<TResult> results =
            await _runner.RunAsync<TResult>(text, query.Options, cancellationToken).ConfigureAwait(false);
        return query.Ending switch
        {
            "First" => results.First(),
            "FirstOrDefault" => results.FirstOrDefault()!,
            "Single" => results.Single(),
            "SingleOrDefault" => results.SingleOrDefault()!,
            _ => throw new NotSupportedException($"'{expression}' does not end in one value."),
        };
    }
}
