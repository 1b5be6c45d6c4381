using System.Text;
using Raven.Blittable.Contexts;
using Raven.Blittable.Memory;
using Raven.Blittable.Reading;
using Raven.Documents.Commands;
using Raven.Documents.Operations;
using Raven.Documents.Patching;
using Raven.Documents.Queries.Filters;
using Raven.Documents.Queries.Results;
using Raven.Documents.Queries.Rql;
using Raven.Scripting;

namespace Raven.Documents.Queries.Changes;

//   BYQ-1  The documents that the query found when it ran are changed; the query is not run again for later writes.
//   BYQ-2  Changes are committed batch by batch, each document in one transaction; the progress is reported, and
//          changes stay if the operation is ended, by a client or by the end of the server.
//   BYQ-3  Each document is changed once, however many entries of the index it is found by.

/// <summary>Deletes, or changes by a script, all documents that a query finds. One operation, one thread at
/// a time.</summary>
public sealed class QueryChange : IDisposable
{
    private const int DeletedAtOnce = 1024;
    private const int PatchedAtOnce = 128;

    /// <summary>In how many parts the documents of a second are changed if their number has a limit.</summary>
    private const int TurnsPerSecond = 10;

    private readonly QueryServices _services;
    private readonly Database _database;
    private readonly RunningOperation _operation;
    private readonly TimeProvider _clock;
    private readonly long _perSecondMax;
    private readonly CancellationToken _stopping;
    private OperationContext? _foundIn;
    private OperationContext? _batchIn;
    private BatchCommand? _batch;

    /// <summary>A change that has not begun.</summary>
    /// <param name="services">Rents memory and runs scripts.</param>
    /// <param name="database">Whose documents are changed.</param>
    /// <param name="operation">Shows how far it is, and may be ended.</param>
    /// <param name="perSecondMax">The most documents of a second; 0 sets no limit.</param>
    /// <param name="stopping">Ends it between two batches.</param>
    public QueryChange(
        QueryServices services, Database database, RunningOperation operation, long perSecondMax,
        CancellationToken stopping)
    {
        _services = services;
        _database = database;
        _operation = operation;
        _perSecondMax = perSecondMax;
        _stopping = stopping;
        _clock = services.Clock;
    }

    /// <summary>What is found, from the time when the query has waited for its index (QRY-1).</summary>
    private OperationContext Found => _foundIn ??= _services.RentContext();

    private OperationContext Context => _batchIn ??= _services.RentContext();

    private BatchCommand Batch => _batch ??= new BatchCommand(_services.HashSeed);

    /// <summary>Deletes the documents that a query finds.</summary>
    public Task DeleteAsync(QueryInput input) => RunAsync(input, DeletedAtOnce, (batch, id) =>
        batch.TryAddDelete(id.Span, ExpectedVersion.Any));

    /// <summary>Changes the documents that a query finds.</summary>
    public Task PatchAsync(QueryInput input)
    {
        var script = new PatchScript(ScriptOf(input), input.StoredParameters);
        return RunAsync(input, PatchedAtOnce, (batch, id) =>
        {
            var patch = new PatchRequest { Id = id, Script = script };
            var part = new PatchAction("PATCH", returnsDocument: false);
            return batch.TryAddAction(
                id.Span, new ScriptAction(plan => ((PatchPlan)plan).TryPatch(in patch, part)), ExpectedVersion.Any);
        });
    }

    /// <summary>Compiles the script of a query before the query runs.</summary>
    /// <exception cref="RefusedException">It, or a function that the query declares, is no script; the message says
    /// where in the query.</exception>
    public static void CheckScript(QueryServices services, QueryInput input)
    {
        ScriptEnvironment scripts = services.Scripts;
        string text = ScriptOf(input);
        try
        {
            scripts.Engine.Compile(text);
        }
        catch (ScriptException whole)
        {
            foreach (RqlDeclaration declared in input.Rql.Declarations)
            {
                CheckPart(scripts, input.Text, declared.Body, declared.Parameters);
            }

            CheckPart(scripts, input.Text, input.Rql.Update!, []);

            // Each is valid by itself: a name is declared twice.
            throw new RefusedException(RefusalReason.Script, whole.Reason);
        }
    }

    private static void CheckPart(
        ScriptEnvironment scripts, string query, RqlScript part, IReadOnlyList<string> parameters)
    {
        try
        {
            scripts.Engine.Compile(part.Text, [.. parameters]);
        }
        catch (ScriptException problem)
        {
            int at = 0;
            for (int line = 1; line < problem.Line; line++)
            {
                at = part.Text.IndexOf('\n', at) + 1;
            }

            // The part begins after its brace.
            int place = part.Position + 1 + Math.Min(at + problem.Column - 1, part.Text.Length);
            throw new RefusedException(
                RefusalReason.Script, new RqlException(query, place, problem.Reason).Message);
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        if (_batchIn is not null)
        {
            _services.ReturnContext(_batchIn);
        }

        if (_foundIn is not null)
        {
            _services.ReturnContext(_foundIn);
        }
    }

    private async Task RunAsync(QueryInput input, int atOnce, Func<BatchCommand, NativeSlice, bool> add)
    {
        using var ended = CancellationTokenSource.CreateLinkedTokenSource(_operation.Killed, _stopping);
        CancellationToken stop = ended.Token;

        // Even if the query keeps duplicates: each document is changed once (BYQ-3).
        List<NativeSlice> ids =
            await FindAsync(input with { KeepsDuplicates = false }, stop).ConfigureAwait(false);
        _operation.Total = ids.Count;

        // A limit counts from the first document on: what is done at once is part of a second.
        atOnce = _perSecondMax > 0 ? (int)Math.Clamp(_perSecondMax / TurnsPerSecond, 1, atOnce) : atOnce;
        long began = _clock.GetTimestamp();
        for (int first = 0; first < ids.Count; first += atOnce)
        {
            stop.ThrowIfCancellationRequested();
            Context.Reset();
            Batch.Reset(Context);
            Batch.DocumentSizeBytesMax = _services.DocumentSizeBytesMax;
            for (int i = first; i < Math.Min(ids.Count, first + atOnce) && add(Batch, ids[i]); i++)
            {
            }

            await SubmitAsync(stop).ConfigureAwait(false);
            _operation.Processed = Math.Min(ids.Count, first + atOnce);
            await ThrottleAsync(began, stop).ConfigureAwait(false);
        }
    }

    /// <summary>The ids of all results: what the query found when it ran (BYQ-1).</summary>
    private async ValueTask<List<NativeSlice>> FindAsync(QueryInput input, CancellationToken stop)
    {
        using QuerySession session = await QuerySession.BeginAsync(_database, input, stop).ConfigureAwait(false);
        session.IsOfChange = true;
        if (session.Plan.Index is { Definition.IsMapReduce: true })
        {
            throw new RefusedException(
                RefusalReason.InvalidQuery, "The results of an index that groups are no documents to change.");
        }

        if (session.IsStale && !input.AllowsStale)
        {
            throw new RefusedException(
                RefusalReason.InvalidQuery,
                $"The index '{session.Plan.Name}' is stale, and the operation does not allow that (allowStale).");
        }

        List<NativeSlice> ids = [];
        using FilteredHits? filtered = input.Rql.Filter is null
            ? null
            : FilteredHits.Find(session, _services, Context, includes: null, isWhole: false);
        QueryHits hits = filtered ?? session.Find(Context, isWhole: false);
        while (hits.TryNext(out QueryHit hit))
        {
            ReadOnlySpan<byte> id = hit.Document.Id.Span;
            NativeSlice kept = Found.Arena.Allocate(id.Length);
            id.CopyTo(kept.WritableSpan);
            ids.Add(kept.Slice(0, id.Length));
        }

        return ids;
    }

    private async ValueTask SubmitAsync(CancellationToken stop)
    {
        if (Batch.Failure.IsNone && Batch.HasScripts)
        {
            await ScriptedBatch.SubmitAsync(_database, _services.Scripts, _services.HashSeed, Batch, stop)
                .ConfigureAwait(false);
        }
        else if (Batch.Failure.IsNone)
        {
            await _database.SubmitAsync(Batch).ConfigureAwait(false);
        }

        if (!Batch.Failure.IsNone)
        {
            // A script that is ended fails: the end is reported, not the failure.
            stop.ThrowIfCancellationRequested();
            throw new CommandFailedException(
                Batch.Failure.Kind, $"{Batch.Failure.Describe()} {_operation.Processed} documents are done.");
        }
    }

    private async ValueTask ThrottleAsync(long began, CancellationToken stop)
    {
        if (_perSecondMax > 0)
        {
            TimeSpan due = TimeSpan.FromSeconds((double)_operation.Processed / _perSecondMax);
            TimeSpan early = due - _clock.GetElapsedTime(began);
            if (early > TimeSpan.Zero)
            {
                await Task.Delay(early, _clock, stop).ConfigureAwait(false);
            }
        }
    }

    /// <summary>
    /// The script of the query in the form of a patch: the alias is the document, $names are arguments, loads
    /// are loaded.
    /// </summary>
    private static string ScriptOf(QueryInput input)
    {
        RqlQuery rql = input.Rql;
        if (rql.Update is not { } update)
        {
            throw new RqlException(input.Text, input.Text.Length, "expected 'update' and a script");
        }

        var text = new StringBuilder();
        if (!input.StoredParameters.IsNull)
        {
            BlittableObject parameters = input.StoredParameters.AsObject();
            for (int i = 0; i < parameters.Count; i++)
            {
                string name = Encoding.UTF8.GetString(parameters.GetProperty(i).Name);
                text.Append("const $").Append(name).Append(" = args[").Append(
                    System.Text.Json.JsonSerializer.Serialize(name)).Append("]; ");
            }
        }

        if (rql.Alias is { } alias)
        {
            text.Append("var ").Append(alias).Append(" = this; ");
        }

        foreach (RqlNamed load in rql.Load)
        {
            string path = IndexFieldNames.PathOf(load.Expression, rql)
                ?? throw new RqlException(input.Text, load.Expression.Position, "expected a path to load");
            text.Append("var ").Append(load.Alias).Append(" = load(this.").Append(path).Append("); ");
        }

        QueryScript.AppendDeclarations(text, rql);
        return text.Append(update.Text).ToString();
    }
}
