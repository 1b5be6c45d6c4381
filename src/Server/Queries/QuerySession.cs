using Raven.Search;
using Raven.Server.Documents;
using Raven.Server.Http;
using Raven.Server.Indexing;
using Raven.Server.Indexing.Extensions;
using Raven.Server.Indexing.Storage;
using Raven.Server.Queries.Rql;
using Raven.Storage;

namespace Raven.Server.Queries;

//   QRY-1  A query waits for its index before it holds anything: no snapshot, no memory, no thread (IsStale tells the
//          rest).
//   QRY-2  Index and documents are read from snapshots that do not move while the answer is written.
//   QRY-3  Where another index took the place of the one that was found, meanwhile, that one answers.

/// <summary>One query: what it reads, held until it is disposed of. One thread at a time.</summary>
internal sealed class QuerySession : IDisposable
{
    private const int AttemptsMax = 10;

    private readonly DatabaseStorage _documents;
    private readonly QueryWorkspace _workspace = QueryWorkspace.Rent();
    private readonly IndexStorage? _storage;
    private readonly IndexReader? _reader;
    private readonly IndexFieldNames? _names;
    private readonly QueryFunctions _functions;
    private readonly IndexExtensions _extensions;
    private readonly RqlTranslator _translator;
    private ulong? _tag;

    private QuerySession(
        Database database, QueryInput input, QueryPlan plan, bool isStale, DatabaseStorage documents,
        IndexStorage? storage)
    {
        Input = input;
        Plan = plan;
        _documents = documents;
        _storage = storage;
        try
        {
            if (plan.Index is { } index)
            {
                Version = index.Version;
                _reader = storage!.Search.BeginRead();
            }

            Snapshot = database.BeginRead();
            IsStale = isStale;
            _names = plan.Index is null
                ? null
                : IndexFieldNames.Of(plan.Index, database.Indexes.FindAnalyzer);
            _functions = new QueryFunctions(Snapshot, database.Indexes.Services.Clock);
            _extensions = database.Indexes.Extensions;
            _translator = TranslatorInto(_workspace.Query);
        }
        catch
        {
            End();
            throw;
        }
    }

    /// <summary>What is asked.</summary>
    internal QueryInput Input { get; }

    /// <summary>How it is answered.</summary>
    internal QueryPlan Plan { get; }

    /// <summary>The documents.</summary>
    internal DocumentSnapshot Snapshot { get; } = null!;

    /// <summary>The last of the conditions, where results were found; -1 before.</summary>
    internal int Root { get; private set; } = -1;

    /// <summary>Whether the index was behind the documents when it was read.</summary>
    internal bool IsStale { get; }

    /// <summary>The index's version when it was read; 0 without an index.</summary>
    internal long Version { get; }

    /// <summary>The index; null where documents answer.</summary>
    internal IndexReader? Reader => _reader;

    /// <summary>The fields of the index.</summary>
    internal IReadOnlyList<IndexField> Fields => _storage?.Search.Fields ?? [];

    /// <summary>Turns expressions into conditions and values.</summary>
    internal RqlTranslator Translator => _translator;

    /// <summary>Conditions and searchers.</summary>
    internal QueryWorkspace Workspace => _workspace;

    /// <summary>Plans a query, waits for its index and begins to read.</summary>
    /// <exception cref="RqlException">It cannot be understood.</exception>
    /// <exception cref="BadRequestException">There is no such index, or it is stale and that is an error.</exception>
    internal static async ValueTask<QuerySession> BeginAsync(
        Database database, QueryInput input, CancellationToken cancellation)
    {
        for (int attempt = 1; ; attempt++)
        {
            QueryPlan plan = await QueryPlan.MakeAsync(database, input).ConfigureAwait(false);
            plan.Index?.Use.Note();
            bool isStale = plan.Index is { } index
                && !await WaitAsync(database, index, input, cancellation).ConfigureAwait(false);
            DatabaseStorage documents = database.Enter();
            IndexStorage? storage = plan.Index?.TryHold();
            if (plan.Index is null || storage is not null)
            {
                return new QuerySession(database, input, plan, isStale, documents, storage);
            }

            // QRY-3
            documents.Release();
            if (!plan.Index.IsGone || attempt == AttemptsMax)
            {
                throw new BadRequestException(
                    400, ErrorType.Raven,
                    $"The index '{plan.Index.Name}' cannot be read: {plan.Index.Fault ?? "it is gone"}");
            }
        }
    }

    /// <summary>Waits until an index has all that was durable when this was called (QRY-1).</summary>
    /// <returns>Whether it has.</returns>
    internal static async ValueTask<bool> WaitAsync(
        Database database, DatabaseIndex index, QueryInput input, CancellationToken cancellation)
    {
        long cutoff = CutoffOf(database, index);
        TimeSpan timeMax = input.WaitMax ?? database.Indexes.Services.Options.StaleWaitMax;
        if (input.AllowsStale && !input.IsStaleAnError)
        {
            timeMax = TimeSpan.Zero;
        }

        bool isFresh = await index.WaitAsync(cutoff, timeMax, cancellation).ConfigureAwait(false);
        return isFresh || !input.IsStaleAnError || index.IsGone
            ? isFresh
            : throw new BadRequestException(
                400, ErrorType.Timeout,
                $"Waited for {timeMax} for the index '{index.Name}' to be non stale: it is at "
                + $"{index.CoveredEtag} of {cutoff}.");
    }

    /// <summary>Finds the results of the page that is asked for.</summary>
    /// <param name="context">Memory that lives as long as the results.</param>
    /// <param name="isWhole">Whether all results are wanted, not only those of the page.</param>
    internal QueryHits Find(Blittable.Memory.OperationContext context, bool isWhole)
    {
        (int skip, int take) = isWhole ? (0, int.MaxValue) : Page();
        return Find(context, skip, take);
    }

    /// <summary>A translator that puts conditions of this query elsewhere.</summary>
    internal RqlTranslator TranslatorInto(SearchQuery query) => new(
        Input.Text, Input.Rql, Input.Parameters, query, _names)
    {
        Sorters = _extensions.FindSorter,
        Functions = _functions,
    };

    /// <summary>Finds results.</summary>
    /// <param name="context">Memory that lives as long as the results.</param>
    /// <param name="skip">How many to leave out.</param>
    /// <param name="take">How many to give.</param>
    internal QueryHits Find(Blittable.Memory.OperationContext context, int skip, int take)
    {
        if (_reader is null)
        {
            return new DocumentHits(Snapshot, Plan, skip, take, context.Arena);
        }

        int root = LikeThis.IsOne(Input.Rql.Where)
            ? new LikeThis(this, context).Translate((RqlCall)Input.Rql.Where!)
            : _translator.Where();
        Root = root;
        SearchRequest request = new() { Skip = skip, Take = take };
        _translator.OrderBy(request);
        if (request.Orders.Count == 0 && QueryScores.AreWanted(Input.Rql))
        {
            request.Orders.Add(new OrderKey(OrderKind.Score, "", IsDescending: true, NullsLast: true, 0));
        }

        try
        {
            return new IndexHits(
                _reader, Snapshot, _workspace, root, request, Plan.Index!.Definition,
                isDistinct: !Input.KeepsDuplicates && !Input.IsOfEntries)
            {
                OnDamage = ReportDamage,
            };
        }
        catch (StorageCorruptedException damage)
        {
            ReportDamage(damage);
            throw;
        }
    }

    /// <summary>How many results to leave out, and how many to give.</summary>
    internal (int Skip, int Take) Page() => (
        Input.Rql.Skip is { } skip ? Count(skip, 0) : Input.Start,
        Math.Min(Input.Rql.Take is { } take ? Count(take, int.MaxValue) : int.MaxValue, Input.PageSize));

    /// <summary>The hash that stands for all that the answer shows.</summary>
    internal ulong Tag() => _tag ??= MakeTag();

    private ulong MakeTag()
    {
        long documents = Input.Rql.Include.Count > 0 || Input.Rql.Load.Count > 0 || Input.Rql.SelectScript is not null
            || Plan.Index is not null
            ? Snapshot.LastEtag
            : IndexScope.LastEtag(Snapshot, Plan.Collection);
        ulong hash = Raven.Storage.Checksums.XxHash3.Hash(System.Text.Encoding.UTF8.GetBytes(Input.Text), 0);
        if (!Input.StoredParameters.IsNull)
        {
            var json = new System.Buffers.ArrayBufferWriter<byte>();
            Blittable.Json.BlittableToJson.Write(Input.StoredParameters.AsObject(), json);
            hash = Raven.Storage.Checksums.XxHash3.Hash(json.WrittenSpan, hash);
        }

        if (QueryFunctions.AreAsked(Input.Rql))
        {
            // What the answer is made of changes by itself: no answer is known already.
            hash ^= (ulong)(_functions.Chance);
        }

        return hash ^ ((ulong)documents * 0x9E3779B97F4A7C15) ^ ((ulong)Version * 0xC2B2AE3D27D4EB4F)
            ^ (IsStale ? 1u : 0u) ^ (Input.IsMetadataOnly ? 2u : 0u);
    }

    /// <inheritdoc/>
    public void Dispose() => End();

    private void End()
    {
        Snapshot?.Dispose();
        _reader?.Dispose();
        _storage?.Release();
        _workspace.Return();
        _documents.Release();
    }

    private void ReportDamage(StorageCorruptedException damage) => Plan.Index!.Upkeep.ReportDamage(_storage!, damage);

    private static long CutoffOf(Database database, DatabaseIndex index)
    {
        using DocumentSnapshot snapshot = database.BeginRead();
        return IndexScope.LastEtag(snapshot, index);
    }

    /// <summary>A number of the limit; clients send null for the one of two that they were not told.</summary>
    internal int Count(RqlExpression expression, int otherwise) => _translator.Evaluate(expression) switch
    {
        null => otherwise,
        long number and >= 0 => (int)Math.Min(number, int.MaxValue),
        double number and >= 0 => (int)Math.Min(number, int.MaxValue),
        _ => throw new RqlException(Input.Text, expression.Position, "expected a number that is not negative"),
    };
}
