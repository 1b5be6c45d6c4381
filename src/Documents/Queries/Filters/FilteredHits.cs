using Raven.Blittable.Contexts;
using Raven.Documents.Queries.Results;
using Raven.Documents.Queries.Rql;

namespace Raven.Documents.Queries.Filters;

//   FILT-3  The filter checks all results, or as many as filter_limit says, also after the page of the query: the count
//           is of all that meet the condition.

/// <summary>The results of a query that meet its <c>filter</c>.</summary>
internal sealed class FilteredHits : QueryHits, IDisposable
{
    private readonly QueryHits _inner;
    private readonly ResultFilter _filter;
    private readonly OperationContext _scratch;
    private readonly QueryServices _services;
    private readonly CancellationToken _cancellation;
    private readonly long _scannedMax;
    private long _toSkip;
    private long _left;
    private long _met;

    private FilteredHits(
        QueryHits inner, ResultFilter filter, OperationContext scratch, QueryServices services, long scannedMax,
        int skip, int take, CancellationToken cancellation)
    {
        _inner = inner;
        _filter = filter;
        _scratch = scratch;
        _services = services;
        _scannedMax = scannedMax;
        _toSkip = skip;
        _left = take;
        _cancellation = cancellation;
    }

    /// <summary>How many results were checked.</summary>
    internal long ScannedCount { get; private set; }

    /// <inheritdoc/>
    internal override long TotalCount
    {
        get
        {
            while (TryFind(out _))
            {
            }

            return _met;
        }
    }

    /// <inheritdoc/>
    internal override long CountBeforehand => _inner.CountBeforehand;

    /// <inheritdoc/>
    internal override long SkippedCount => _inner.SkippedCount;

    /// <summary>Finds the results of a query that has a filter.</summary>
    /// <param name="session">The query.</param>
    /// <param name="services">Rents memory and runs scripts.</param>
    /// <param name="kept">Memory that lives as long as the results.</param>
    /// <param name="includes">Takes what scripts include; null if nothing is sent along.</param>
    /// <param name="isWhole">Whether all results are read, not only those of the page.</param>
    internal static FilteredHits Find(
        QuerySession session, QueryServices services, OperationContext kept, IScriptIncludes? includes,
        bool isWhole)
    {
        RqlQuery rql = session.Input.Rql;
        long scannedMax = rql.FilterLimit is { } limit ? session.Count(limit, int.MaxValue) : int.MaxValue;
        OperationContext scratch = services.RentContext();
        try
        {
            var filter = new ResultFilter(session, services, kept, scratch, includes);
            QueryHits inner = session.Find(kept, 0, (int)scannedMax);
            (int skip, int take) = isWhole ? (0, int.MaxValue) : session.Page();
            return new FilteredHits(inner, filter, scratch, services, scannedMax, skip, take, session.Cancellation);
        }
        catch
        {
            services.ReturnContext(scratch);
            throw;
        }
    }

    /// <inheritdoc/>
    internal override void Detach() => _inner.Detach();

    /// <inheritdoc/>
    internal override bool TryNext(out QueryHit hit)
    {
        while (_left > 0 && TryFind(out hit))
        {
            if (_toSkip > 0)
            {
                _toSkip--;
                continue;
            }

            _left--;
            return true;
        }

        hit = default;
        return false;
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _filter.Dispose();
        _services.ReturnContext(_scratch);
    }

    private bool TryFind(out QueryHit hit)
    {
        while (ScannedCount < _scannedMax && _inner.TryNext(out hit))
        {
            _cancellation.ThrowIfCancellationRequested();
            ScannedCount++;
            if (_filter.IsMet(in hit))
            {
                _met++;
                return true;
            }
        }

        hit = default;
        return false;
    }
}
