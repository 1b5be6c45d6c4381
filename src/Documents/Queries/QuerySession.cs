using System.IO.Hashing;
using System.Runtime.InteropServices;
using Raven.Documents.Indexing.Extensions;
using Raven.Documents.Indexing.Storage;
using Raven.Documents.Indexing;
using Raven.Documents.Queries.Rql;
using Raven.Documents.Queries.Series;
using Raven.Documents.Settings;
using Raven.Search.Fields;
using Raven.Search.Queries;
using Raven.Search.Searchers;
using Raven.Search;
using Raven.Storage.Errors;

namespace Raven.Documents.Queries;

//   QRY-1  While a query waits for its index it holds nothing: no snapshot, no memory, no thread. IsStale says whether
//          the index still was behind when the wait ended.
//   QRY-3  If the index was replaced during the wait, the new one answers. If it was rebuilt between the wait and the
//          first read, the query waits again, so that the index it reads covers the etag that it waited for.

/// <summary>One query: its snapshots and memory, held until it is disposed. One thread at a time.</summary>
public sealed class QuerySession : IDisposable
{
    private const int AttemptsMin = 10;

    private readonly DatabaseStorage _documents;
    private readonly QueryWorkspace _workspace = QueryWorkspace.Rent();
    private readonly IndexStorage? _storage;
    private readonly IndexFieldNames? _names;
    private readonly QueryFunctions _functions;
    private readonly IndexExtensions _extensions;
    private readonly RqlTranslator _translator;
    private readonly QuerySnapshots _snapshots;
    private QueryWorkspace? _entries;
    private ulong? _tag;

    private QuerySession(
        Database database, QueryInput input, QueryPlan plan, bool isStale, DatabaseStorage documents,
        IndexStorage? storage, CancellationToken cancellation)
    {
        Cancellation = cancellation;
        Input = input;
        Plan = plan;
        _documents = documents;
        _storage = storage;
        _snapshots = new QuerySnapshots(database, storage, plan.Index?.Name ?? "a query of documents");
        try
        {
            Version = plan.Index?.Version ?? 0;
            _snapshots.Take();
            IsStale = isStale;
            _names = plan.Index is null
                ? null
                : IndexFieldNames.Of(
                    plan.Index, database.Indexes.FindAnalyzer, name => Fields.Any(field => field.Name == name));
            _functions = new QueryFunctions(this, database.Indexes.Services.Clock);
            _extensions = database.Indexes.Extensions;
            _translator = TranslatorInto(_workspace.Query);
        }
        catch
        {
            End();
            throw;
        }
    }

    /// <summary>The request of the query.</summary>
    public QueryInput Input { get; }

    /// <summary>Whether this is a patch or delete by query: its results will be changed, and all of them if it has no
    /// limit.</summary>
    internal bool IsOfChange { get; set; }

    /// <summary>Cancels the query.</summary>
    internal CancellationToken Cancellation { get; }

    /// <summary>The time series that the query wants sent along.</summary>
    /// <exception cref="RqlException">An include is malformed.</exception>
    public IReadOnlyList<SeriesInclude> SeriesIncludes()
    {
        RqlQuery rql = Input.Rql;
        return [.. rql.Include.Where(SeriesInclude.IsOne).Select(include => SeriesInclude.Parse(
            Input.Text, (RqlCall)include, rql.Alias, Translator.Evaluate))];
    }

    /// <summary>How long it took to decide who answers, and to make an index if one was made.</summary>
    public TimeSpan PlanTime { get; private init; }

    /// <summary>The settings of the database.</summary>
    internal DatabaseSettings Settings => _documents.Writer.Settings;

    /// <summary>How the query is answered.</summary>
    public QueryPlan Plan { get; }

    /// <summary>The snapshot of the documents; another one after <see cref="Renew"/>.</summary>
    public DocumentSnapshot Snapshot => _snapshots.Documents;

    /// <summary>How often the snapshots were renewed: handles from before are not valid any more.</summary>
    internal int Renewals => _snapshots.Renewals;

    /// <summary>For how long the snapshots have been held.</summary>
    public TimeSpan Age => _snapshots.Age;

    /// <summary>The number of the root condition, once results were found; -1 before.</summary>
    internal int Root { get; private set; } = -1;

    /// <summary>Whether the index was behind the documents when it was read.</summary>
    public bool IsStale { get; }

    /// <summary>The index's version when it was read; 0 without an index.</summary>
    internal long Version { get; }

    /// <summary>The index; null if documents answer.</summary>
    internal IndexReader? Reader => _snapshots.Index;

    internal IReadOnlyList<IndexField> Fields => _storage?.Search.Fields ?? [];

    /// <summary>Turns expressions into conditions and values.</summary>
    internal RqlTranslator Translator => _translator;

    /// <summary>The memory of conditions and searchers, reused by later queries.</summary>
    internal QueryWorkspace Workspace => _workspace;

    /// <summary>The searcher that has the entry of a result (<see cref="QueryHit.Result"/>).</summary>
    internal IndexSearcher Entries => (_entries ?? _workspace).Searcher;

    /// <summary>Plans a query, waits for its index and begins to read.</summary>
    /// <param name="database">The database to query.</param>
    /// <param name="input">The query.</param>
    /// <param name="cancellation">Cancels the query.</param>
    /// <param name="memory">The memory that holds the input, given back during a wait; null to keep it.</param>
    /// <exception cref="RqlException">The query is not valid.</exception>
    /// <exception cref="RefusedException">There is no such index, or it is stale and that is an error.</exception>
    public static async ValueTask<QuerySession> BeginAsync(
        Database database, QueryInput input, CancellationToken cancellation, IQueryMemory? memory = null)
    {
        long began = database.Indexes.Services.Clock.GetTimestamp();
        bool isNew = false;
        for (int attempt = 1; ; attempt++)
        {
            long planned = database.Indexes.Services.Clock.GetTimestamp();
            QueryPlan plan = await QueryPlan.MakeAsync(database, input).ConfigureAwait(false);
            TimeSpan planTime = database.Indexes.Services.Clock.GetElapsedTime(planned);
            if (plan.Index is not { } index)
            {
                return new QuerySession(
                    database, input, plan, isStale: false, database.Enter(), storage: null, cancellation)
                {
                    PlanTime = planTime,
                };
            }

            index.Use.Note();
            long cutoff = CutoffOf(database, index);
            isNew |= plan.IsIndexNew;
            TimeSpan timeMax = TimeMaxOf(database, input, isNew);
            ValueTask<bool> wait = WaitAsync(database, index, input, timeMax, cutoff, began, cancellation);
            bool isStale;
            if (memory is null || wait.IsCompleted)
            {
                isStale = !await wait.ConfigureAwait(false);
            }
            else
            {
                var detached = new DetachedInput(input);
                memory.ReturnOperation();
                isStale = !await wait.ConfigureAwait(false);
                input = detached.Attach(memory.Operation);
            }

            database.Indexes.Services.Options.BetweenWaitAndRead?.Invoke();
            DatabaseStorage documents = database.Enter();
            IndexStorage? storage = index.TryHold();
            if (storage is not null && (isStale || Covers(index, storage, cutoff)))
            {
                return new QuerySession(database, input, plan, isStale, documents, storage, cancellation)
                {
                    PlanTime = planTime,
                };
            }

            // The index was replaced or rebuilt since the wait (QRY-3).
            storage?.Release();
            documents.Release();
            TimeSpan time = database.Indexes.Services.Clock.GetElapsedTime(began);
            if ((attempt >= AttemptsMin && time >= timeMax) || (storage is null && !index.IsGone))
            {
                throw new RefusedException(
                    RefusalReason.IndexUnreadable,
                    $"The index '{index.Name}' cannot be read: {index.Fault ?? "it is rebuilt all the time"}");
            }
        }
    }

    /// <summary>
    /// Whether the files that are held cover a change. If the index was rebuilt after the wait, the covered etag may be
    /// that of other files. So the etag is read first; after that, the held files must still be those of the index.
    /// </summary>
    private static bool Covers(DatabaseIndex index, IndexStorage held, long etag) =>
        index.CoveredEtag >= etag && ReferenceEquals(index.OpenedStorage, held);

    /// <summary>Waits until an index covers a change (QRY-1).</summary>
    /// <returns>Whether it does.</returns>
    private static async ValueTask<bool> WaitAsync(
        Database database, DatabaseIndex index, QueryInput input, TimeSpan timeMax, long cutoff, long began,
        CancellationToken cancellation)
    {
        TimeSpan left = timeMax - database.Indexes.Services.Clock.GetElapsedTime(began);
        bool isFresh = await index.WaitAsync(cutoff, left, cancellation).ConfigureAwait(false);
        if (isFresh || !input.IsStaleAnError || index.IsGone)
        {
            return isFresh;
        }

        // No query waits for an index that is paused or has stopped.
        bool hasWaited = database.Indexes.Services.Clock.GetElapsedTime(began) >= timeMax;
        throw new RefusedException(
            RefusalReason.Stale,
            (hasWaited ? $"Waited for {timeMax} for the index '{index.Name}' to be non stale"
                : $"The index '{index.Name}' stands still, and a wait of {timeMax} would not make it non stale")
            + $": it is at {index.CoveredEtag} of {cutoff}.");
    }

    /// <summary>How long a query waits. A query that allows stale results would find nothing in an empty index that was
    /// made for it, so that it waits for that one as others do.</summary>
    private static TimeSpan TimeMaxOf(Database database, QueryInput input, bool isIndexNew) =>
        input.AllowsStale && !input.IsStaleAnError && !isIndexNew ? TimeSpan.Zero
            : input.WaitMax ?? database.Indexes.Services.Options.StaleWaitMax;

    /// <summary>Finds the results of the page.</summary>
    /// <param name="context">Memory that lives as long as the results.</param>
    /// <param name="isWhole">Whether all results are read, not only those of the page.</param>
    internal QueryHits Find(Blittable.Contexts.OperationContext context, bool isWhole)
    {
        (int skip, int take) = isWhole ? (0, int.MaxValue) : Page();
        return Find(context, skip, take);
    }

    /// <summary>A translator that adds conditions of this query to another one.</summary>
    internal RqlTranslator TranslatorInto(SearchQuery query) => new(
        Input.Text, Input.Rql, Input.Parameters, query, _names)
    {
        Sorters = _extensions.FindSorter,
        Functions = _functions,
        Fields = Fields,
    };

    /// <summary>Finds a range of results.</summary>
    /// <param name="context">Memory that lives as long as the results.</param>
    /// <param name="skip">How many to skip.</param>
    /// <param name="take">How many to give.</param>
    internal QueryHits Find(Blittable.Contexts.OperationContext context, int skip, int take)
    {
        if (Reader is null)
        {
            return new DocumentHits(this, Plan, skip, take, context.Arena);
        }

        _translator.Nearest = NearestOf(Page());
        _translator.MoreLikeThis = call => new MoreLikeThisQuery(this, context).Translate(call);
        int root = _translator.Where();
        Root = root;
        SearchRequest request = new() { Skip = skip, Take = take, Cancellation = Cancellation };
        _translator.OrderBy(request);
        if (request.Orders.Count == 0 && QueryScores.AreWanted(Input.Rql))
        {
            request.Orders.Add(new OrderKey(OrderKind.Score, "", IsDescending: true, NullsLast: true, 0));
        }

        try
        {
            return new IndexHits(
                this, root, request, Plan.Index!.Definition,
                isDistinct: !Input.KeepsDuplicates && !Input.IsOfEntries, context.Arena.LimitBytes)
            {
                OnDamage = ReportDamage,
            };
        }
        catch (StorageCorruptedException damage)
        {
            ReportDamage(damage);
            throw;
        }
        catch (SearchIndexException wrong)
        {
            throw Refusal(wrong);
        }
    }

    /// <summary>An error of the search, at its place in the query.</summary>
    internal RqlException Refusal(SearchIndexException wrong) =>
        new(Input.Text, Math.Max(0, _translator.VectorsAt), wrong.Message);

    /// <summary>
    /// How many of the nearest vectors are needed: as many as reach the end of the page, or a default number if there
    /// is no page. All vectors that are near enough are needed if later steps leave out results (<c>filter</c>, or a
    /// page of <c>distinct</c> results), and if all results are to be changed.
    /// </summary>
    private int NearestOf((int Skip, int Take) page)
    {
        bool isPaged = page.Take < int.MaxValue;
        return Input.Rql.Filter is not null || (isPaged && Input.Rql.IsDistinct) || (!isPaged && IsOfChange)
            ? RqlVectors.AllNear
            : isPaged
            ? (int)Math.Clamp((long)page.Skip + page.Take, RqlVectors.NearestDefault, RqlVectors.AllNear - 1)
            : RqlVectors.NearestDefault;
    }

    /// <summary>Ends the snapshots during a wait, until <see cref="Renew"/>: nothing that was read from them may be
    /// used any more.</summary>
    internal void Release()
    {
        // The tag describes what the query has found, so that it is computed from the snapshots that were read.
        Tag();
        _snapshots.Release();
    }

    /// <summary>Takes new snapshots.</summary>
    public void Renew() => _snapshots.Renew();

    /// <summary>Finds an entry of the index anew, after its snapshot was renewed.</summary>
    /// <param name="key">The key of its document, or of its group.</param>
    /// <param name="number">The number of the entry among those of this document.</param>
    /// <param name="stored">What is stored with it.</param>
    /// <returns>False if it does not exist any more.</returns>
    internal bool TryFindEntry(ReadOnlySpan<byte> key, int number, out Blittable.Memory.NativeSlice stored)
    {
        _entries ??= QueryWorkspace.Rent();
        SearchQuery query = _entries.Query;
        query.Clear();
        int root = query.Equal(IndexFieldNames.Id, query.Value(key));
        try
        {
            _entries.Searcher.Run(
                Reader!, query, root, new SearchRequest { Skip = number, Take = 1, Cancellation = Cancellation });
            bool isFound = _entries.Searcher.Count > 0;
            stored = isFound ? _entries.Searcher.StoredBytes(0) : default;
            return isFound;
        }
        catch (StorageCorruptedException damage)
        {
            ReportDamage(damage);
            throw;
        }
    }

    /// <summary>How many results to skip, and how many to give.</summary>
    public (int Skip, int Take) Page() => (
        Input.Rql.Skip is { } skip ? Count(skip, 0) : Input.Start,
        Math.Min(Input.Rql.Take is { } take ? Count(take, int.MaxValue) : int.MaxValue, Input.PageSize));

    /// <summary>The hash of everything that the answer depends on.</summary>
    public ulong Tag() => _tag ??= MakeTag();

    private ulong MakeTag()
    {
        long documents = Plan.Index is not null || ReadsElsewhere(Input.Rql)
            ? Snapshot.LastEtag
            : IndexScope.LastEtag(Snapshot, Plan.Collection);
        ulong hash = XxHash3.HashToUInt64(System.Text.Encoding.UTF8.GetBytes(Input.Text));
        if (!Input.StoredParameters.IsNull)
        {
            var json = new System.Buffers.ArrayBufferWriter<byte>();
            Blittable.Json.BlittableToJson.Write(Input.StoredParameters.AsObject(), json);
            hash = XxHash3.HashToUInt64(json.WrittenSpan, (long)hash);
        }

        if (QueryVolatility.MayReadValues(Input.Text))
        {
            hash ^= (ulong)Snapshot.LastCompareExchangeIndex * 0x165667B19E3779F9;
        }

        if (QueryVolatility.IsOf(Input.Rql))
        {
            // The answer changes by itself: no cached answer may be used.
            hash ^= (ulong)(_functions.Chance);
        }

        foreach (RqlOrder order in Input.Rql.OrderBy)
        {
            if (_translator.SorterOf(order) is { } sorter)
            {
                string version = _extensions.SorterVersion(sorter) ?? sorter;
                hash = XxHash3.HashToUInt64(System.Text.Encoding.UTF8.GetBytes(version), (long)hash);
            }
        }

        // A client may cache by a url that does not contain all options: so each option that changes the answer is part
        // of the tag.
        ReadOnlySpan<int> shape =
        [
            Input.Start, Input.PageSize, IsStale ? 1 : 0, Input.IsMetadataOnly ? 1 : 0, Input.KeepsDuplicates ? 1 : 0,
            Input.IsOfEntries ? 1 : 0,
        ];
        hash = XxHash3.HashToUInt64(MemoryMarshal.AsBytes(Input.Projection.AsSpan()), (long)hash);
        hash = XxHash3.HashToUInt64(MemoryMarshal.AsBytes(shape), (long)hash);
        return hash ^ ((ulong)documents * 0x9E3779B97F4A7C15) ^ ((ulong)Version * 0xC2B2AE3D27D4EB4F);
    }

    /// <summary>Whether an answer from the documents of a collection may depend on other data: on documents that are
    /// loaded or included, or on what functions read, such as counters.</summary>
    private static bool ReadsElsewhere(RqlQuery rql) =>
        rql.Include.Count > 0 || rql.Load.Count > 0 || rql.SelectScript is not null || rql.Declarations.Count > 0
        || rql.Series.Count > 0 || rql.Select.Exists(item => item.Expression is RqlCall or RqlTimeSeries);

    /// <inheritdoc/>
    public void Dispose() => End();

    private void End()
    {
        _snapshots.Dispose();
        _storage?.Release();
        _workspace.Return();
        _entries?.Return();
        _documents.Release();
    }

    private void ReportDamage(StorageCorruptedException damage) =>
        Plan.Index!.Maintenance.ReportDamage(_storage!, damage);

    private static long CutoffOf(Database database, DatabaseIndex index)
    {
        using DocumentSnapshot snapshot = database.BeginRead();
        return IndexScope.LastEtag(snapshot, index);
    }

    /// <summary>A number of <c>limit</c>, or null: clients send both numbers if the user gave one.</summary>
    internal int Count(RqlExpression expression, int otherwise) => _translator.Evaluate(expression) switch
    {
        null => otherwise,
        long number and >= 0 => (int)Math.Min(number, int.MaxValue),
        Int128 number when number >= 0 => int.MaxValue,
        double number and >= 0 when number == Math.Floor(number) => (int)Math.Min(number, int.MaxValue),
        _ => throw new RqlException(Input.Text, expression.Position, "expected a whole number that is not negative"),
    };
}
