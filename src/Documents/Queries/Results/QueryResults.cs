using System.Buffers;
using Raven.Blittable.Contexts;
using Raven.Documents.Patching;
using Raven.Documents.Queries.Filters;
using Raven.Documents.Queries.Rql;

namespace Raven.Documents.Queries.Results;

/// <summary>
/// The results of a query as JSON, one after the other, and what is known of them as a whole. One thread at a time.
/// </summary>
public sealed class QueryResults : IDisposable
{
    private readonly QuerySession _session;
    private readonly QueryServices _services;
    private readonly OperationContext _scratch;
    private readonly OperationContext _scripts;
    private readonly IScriptIncludes? _includes;
    private readonly BoundedSet<UInt128>? _distinct;
    private readonly ResultWriter _rows;
    private readonly Highlights _highlights;
    private readonly Explanations _explanations;
    private ScriptTextReservation? _texts;
    private FilteredHits? _filtered;
    private QueryHits? _hits;

    /// <summary>Makes the results of a query, which are found by <see cref="Find"/>.</summary>
    /// <param name="session">The query.</param>
    /// <param name="services">Lends memory and runs scripts.</param>
    /// <param name="scratch">Memory of one result, which is reset.</param>
    /// <param name="includes">Takes what scripts include; null if nothing is sent along.</param>
    /// <param name="isWanted">If equal rows are left out (<c>distinct</c>): whether a row is written, by the hash of
    /// its content. Called before the first byte of the row is written.</param>
    /// <exception cref="RqlException">Something of the query is not valid.</exception>
    public QueryResults(
        QuerySession session, QueryServices services, OperationContext scratch, IScriptIncludes? includes,
        Func<UInt128, bool> isWanted)
    {
        _session = session;
        _services = services;
        _scratch = scratch;
        _includes = includes;
        _scripts = services.RentContext();
        try
        {
            _distinct = session.Input.Rql.IsDistinct
                ? new BoundedSet<UInt128>(services.ContextSizeBytesMax)
                : null;
            _rows = RowsOf();
            _rows.IsWanted = _distinct is null ? null : isWanted;
            _highlights = new Highlights(session, _scripts);
            _explanations = new Explanations(session, _scripts);
        }
        catch
        {
            _explanations?.Dispose();
            _rows?.Dispose();
            services.ReturnContext(_scripts);
            throw;
        }
    }

    /// <summary>Whether scripts make the results.</summary>
    public bool HasScripts => ScriptResultWriter.IsOne(_session.Input.Rql);

    /// <summary>Whether equal rows are left out.</summary>
    public bool IsDistinct => _distinct is not null;

    /// <summary>How many different rows there were until now.</summary>
    public int DistinctCount => _distinct?.Count ?? 0;

    /// <summary>How many results there are without paging.</summary>
    public long TotalCount => _hits!.TotalCount;

    /// <summary>How many results there may be, as far as that is known before they are read.</summary>
    public long CountBeforehand => _hits!.CountBeforehand;

    /// <summary>How many results were skipped because they were found already.</summary>
    public long SkippedCount => _hits!.SkippedCount;

    /// <summary>How many results a filter has seen; null if there is none.</summary>
    public long? ScannedCount => _filtered?.ScannedCount;

    /// <summary>Whether the last row could not be written, as its script waits for memory of a large text: the same
    /// result is written again, from the start, after <see cref="WaitAsync"/>.</summary>
    public bool IsWaiting { get; private set; }

    /// <summary>Finds the results.</summary>
    /// <param name="kept">Memory that lives as long as the results.</param>
    public void Find(OperationContext kept)
    {
        if (_session.Input.Rql.Filter is null)
        {
            _hits = _session.Find(kept, isWhole: IsDistinct);
            return;
        }

        _hits = _filtered = FilteredHits.Find(_session, _services, kept, _includes, isWhole: IsDistinct);
    }

    /// <summary>Finds the results whose terms were counted, all of them: facets have no page of documents.</summary>
    /// <param name="kept">Memory that lives as long as the results.</param>
    public void FindCounted(OperationContext kept)
    {
        _session.Workspace.Query.Clear();
        _hits = _session.Find(kept, isWhole: true);
    }

    /// <summary>The next result; false after the last one of the page.</summary>
    public bool TryNext(out QueryHit hit) => _hits!.TryNext(out hit);

    /// <summary>Writes a result as one JSON object.</summary>
    /// <param name="target">Takes the bytes.</param>
    /// <param name="hit">The result.</param>
    /// <returns>False if it shows nothing, is not wanted, or <see cref="IsWaiting"/>: then no row is written.</returns>
    public bool TryWrite(IBufferWriter<byte> target, in QueryHit hit)
    {
        IsWaiting = false;
        try
        {
            return _rows.TryWrite(target, in hit);
        }
        catch (LongTextException)
        {
            IsWaiting = true;
            return false;
        }
    }

    /// <summary>Waits for the memory that the last row needs.</summary>
    public Task WaitAsync(CancellationToken cancellation) => _texts!.WaitAsync(cancellation);

    /// <summary>Adds a row to those that were seen; false if there was one like it.</summary>
    /// <param name="row">The hash of what it shows.</param>
    public bool AddDistinct(UInt128 row) => _distinct!.Add(row);

    /// <summary>Collects what is said of a result beside it: fragments of its texts, the parts of its score.</summary>
    public void Collect(in QueryHit hit)
    {
        _highlights.Collect(in hit);
        _explanations.Collect(in hit);
    }

    /// <summary>The fragments of the results' texts, by field and id; null if the query wants none.</summary>
    public IReadOnlyDictionary<string, Dictionary<string, List<string>>>? HighlightsByField => _highlights.ByField();

    /// <summary>The parts of the results' scores, by the ids of documents or the keys of groups; null if the query
    /// wants none.</summary>
    public IReadOnlyDictionary<string, List<string>>? ExplanationsByName => _explanations.ByName;

    /// <summary>Whether the terms that a query asks for are suggestions; else they are facets.</summary>
    public bool IsOfSuggestions => SuggestAnswer.IsOne(_session.Input.Rql.Select[0]);

    /// <summary>The facets of a query that asks for some, each counted when it is asked for.</summary>
    public IEnumerable<FacetResult> Facets() => new FacetAnswer(_session).Results();

    /// <summary>The suggestions of a query that asks for some, each found when it is asked for.</summary>
    public IEnumerable<SuggestionResult> Suggestions() => new SuggestAnswer(_session).Results();

    /// <summary>Gives the snapshots up during a wait; the remaining results are read from the next ones
    /// (<see cref="QuerySession.Renew"/>).</summary>
    public void Release()
    {
        _hits!.Detach();
        _session.Release();
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _filtered?.Dispose();
        _explanations.Dispose();
        _rows.Dispose();
        _texts?.GiveBack();
        _services.ReturnContext(_scripts);
    }

    private ResultWriter RowsOf()
    {
        QueryInput input = _session.Input;
        RqlQuery rql = input.Rql;
        if (input.IsOfEntries || QueryPlan.IsOfTerms(rql))
        {
            return new EntryResultWriter(_session);
        }

        var loaded = new LoadedDocuments(_session, _scratch, _services.HashSeed);
        if (ScriptResultWriter.IsOne(rql))
        {
            _texts = new ScriptTextReservation(_services.Scripts.Texts, waits: true);
            var host = new QueryScriptHost(_session, _scripts, _includes, _texts);
            return new ScriptResultWriter(input, loaded, _scratch, _services.Scripts, host, _session.Cancellation);
        }

        return rql.Select.Count > 0
            ? new ProjectionWriter(input, _session.Translator, loaded, _scratch)
            : new DocumentResultWriter(input.IsMetadataOnly);
    }
}
