using System.Collections;
using System.Linq.Expressions;
using Raven.Client.Documents.Queries;
using Raven.Client.Documents.Session;

namespace Raven.Client.Documents.Linq;

/// <summary>See <see cref="IRavenQueryable{T}"/>. Immutable.</summary>
internal sealed class RavenQueryable<T> : IRavenQueryable<T>
{
    private readonly RavenQueryProvider _provider;

    internal RavenQueryable(RavenQueryProvider provider, Expression? expression = null)
    {
        _provider = provider;
        Expression = expression ?? Expression.Constant(this, typeof(IRavenQueryable<T>));
    }

    public Type ElementType => typeof(T);

    public Expression Expression { get; }

    public IQueryProvider Provider => _provider;

    public IRavenQueryable<T> Statistics(out QueryStatistics statistics)
    {
        var filled = new QueryStatistics();
        statistics = filled;
        return QueryAnnotations.Add(this, translator => translator.Options.FillWithEachAnswer(filled));
    }

    public IRavenQueryable<T> Customize(Action<IDocumentQueryCustomization> customize)
    {
        ArgumentNullException.ThrowIfNull(customize);
        TimeSpan wait = _provider.Session.Conventions.WaitForNonStaleResultsTimeout;
        return QueryAnnotations.Add(this, translator => customize(new QueryCustomization(translator, wait)));
    }

    public IndexQuery ToIndexQuery() => _provider.Translate(Expression).ToIndexQuery();

    public IAsyncEnumerable<StreamResult<T>> StreamAsync(CancellationToken cancellationToken = default) =>
        _provider.StreamAsync<T>(Expression, cancellationToken);

    public async IAsyncEnumerator<T> GetAsyncEnumerator(CancellationToken cancellationToken = default)
    {
        foreach (T result in await _provider.ListAsync<T>(Expression, cancellationToken).ConfigureAwait(false))
        {
            yield return result;
        }
    }

    public IEnumerator<T> GetEnumerator() =>
        _provider.ListAsync<T>(Expression, CancellationToken.None).GetAwaiter().GetResult().GetEnumerator();

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();

    /// <summary>The query as text: RQL.</summary>
    public override string ToString() => ToIndexQuery().Query;
}
