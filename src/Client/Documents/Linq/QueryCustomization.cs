using Raven.Client.Documents.Queries;
using Raven.Client.Documents.Queries.Timings;

namespace Raven.Client.Documents.Linq;

/// <summary>See <see cref="IDocumentQueryCustomization"/>.</summary>
internal sealed class QueryCustomization(QueryTranslator translator, TimeSpan defaultWait) : IDocumentQueryCustomization
{
    public IDocumentQueryCustomization WaitForNonStaleResults(TimeSpan? timeout = null)
    {
        translator.Options.Wait = timeout ?? defaultWait;
        return this;
    }

    public IDocumentQueryCustomization NoTracking()
    {
        translator.Options.NoTracking = true;
        return this;
    }

    public IDocumentQueryCustomization NoCaching()
    {
        translator.Options.NoCaching = true;
        return this;
    }

    public IDocumentQueryCustomization RandomOrdering(string? seed = null)
    {
        translator.Rql.OrderBy(QueryParts.RandomOrder(seed));
        return this;
    }

    public IDocumentQueryCustomization Projection(ProjectionBehavior behavior)
    {
        translator.Options.Projection = behavior;
        return this;
    }

    public IDocumentQueryCustomization Timings(out QueryTimings timings)
    {
        timings = new QueryTimings();
        QueryParts.AddTimings(translator.Query, timings);
        return this;
    }

    public IDocumentQueryCustomization BeforeQueryExecuted(Action<IndexQuery> action)
    {
        translator.Options.BeforeSent += action;
        return this;
    }

    public IDocumentQueryCustomization AfterQueryExecuted(Action<QueryStatistics> action)
    {
        ArgumentNullException.ThrowIfNull(action);
        translator.Options.Answered += answer => action(answer.Statistics);
        return this;
    }
}
