using System.Text;
using Raven.Blittable.Contexts;
using Raven.Blittable.Format;
using Raven.Blittable.Memory;
using Raven.Blittable.Reading;
using Raven.Documents;
using Raven.Documents.Commands;
using Raven.Documents.Patching;
using Raven.Documents.Rows;
using Raven.Scripting.Hosting;

namespace FastTests.Documents.History;

/// <summary>Clients that do random things to a database concurrently, and record the answers.</summary>
internal sealed class HistoryRecorder(Database database, int documents, int seed)
{
    private readonly string _prefix = $"h{seed}/";
    private readonly ScriptEnvironment _scripts = new(TimeProvider.System, new ScriptLimits());
    private long _stamp;

    /// <summary>The database's last etag before the history: its events are numbered from there.</summary>
    private long _baseEtag;

    internal async Task<List<HistoryEvent>> RunAsync(int clients, int eventsEach)
    {
        using (DocumentSnapshot snapshot = database.BeginRead())
        {
            _baseEtag = snapshot.LastEtag;
        }

        List<HistoryEvent>[] events = await Task.WhenAll(Enumerable.Range(0, clients)
            .Select(client => Task.Run(() => RunClientAsync(new Random((seed * 1000) + client), eventsEach))));
        return [.. events.SelectMany(one => one)];
    }

    private async Task<List<HistoryEvent>> RunClientAsync(Random random, int count)
    {
        List<HistoryEvent> events = [];
        Dictionary<int, long> known = [];
        using OperationContext context = new();
        BatchCommand batch = new((ulong)seed);
        for (int i = 0; i < count; i++)
        {
            HistoryEvent one = random.Next(6) switch
            {
                0 or 1 => Read(random),
                2 => await PatchAsync(random, context, batch, known),
                _ => await WriteAsync(random, context, batch, known),
            };
            foreach ((int document, long etag) in one.Seen)
            {
                known[document] = etag;
            }

            events.Add(one);
        }

        return events;
    }

    private HistoryEvent Read(Random random)
    {
        long began = Interlocked.Increment(ref _stamp);
        Dictionary<int, long> seen = [];
        long snapshotEtag;
        using (DocumentSnapshot snapshot = database.BeginRead())
        {
            for (int i = random.Next(1, 5); i > 0; i--)
            {
                int document = random.Next(documents);
                seen[document] = snapshot.TryGet(IdOf(document), out StoredDocument stored)
                    ? stored.Etag - _baseEtag
                    : 0;
            }

            snapshotEtag = snapshot.LastEtag - _baseEtag;
        }

        return new HistoryEvent
        {
            Began = began,
            Ended = Interlocked.Increment(ref _stamp),
            Seen = seen,
            SnapshotEtag = snapshotEtag,
        };
    }

    private async Task<HistoryEvent> WriteAsync(
        Random random, OperationContext context, BatchCommand batch, Dictionary<int, long> known)
    {
        HistoryWrite[] writes = [.. Enumerable.Range(0, random.Next(1, 4)).Select(_ => NextWrite(random, known))];
        context.Reset();
        batch.Reset(context);
        foreach (HistoryWrite write in writes)
        {
            Add(context, batch, write);
        }

        long began = Interlocked.Increment(ref _stamp);
        await database.SubmitAsync(batch);
        long ended = Interlocked.Increment(ref _stamp);
        if (batch.Failure.IsNone)
        {
            for (int i = 0; i < writes.Length; i++)
            {
                bool isChanged = batch[i].IsChanged;
                writes[i] = writes[i] with { Etag = isChanged ? batch[i].Etag - _baseEtag : 0 };
                known[writes[i].Document] = isChanged && writes[i].IsPut ? writes[i].Etag : 0;
            }

            return new HistoryEvent { Began = began, Ended = ended, Writes = writes };
        }

        int refused = batch.Failure.OperationIndex;
        writes[refused] = writes[refused] with { IsWithinBatch = batch.Failure.IsWithinBatch };
        long actual = EtagOf(batch.Failure.ActualChangeVector);
        known[writes[refused].Document] = actual;
        return new HistoryEvent
        {
            Began = began,
            Ended = ended,
            Writes = writes,
            RefusedWrite = refused,
            RefusedBecauseOf = actual,
        };
    }

    /// <summary>
    /// A script that reads two documents and writes both, with the versions that it saw in them: as if these had been
    /// expected.
    /// </summary>
    private async Task<HistoryEvent> PatchAsync(
        Random random, OperationContext context, BatchCommand batch, Dictionary<int, long> known)
    {
        int own = random.Next(documents);
        int other = (own + random.Next(1, documents)) % documents;
        context.Reset();
        batch.Reset(context);
        byte[] id = IdOf(own);
        NativeSlice kept = context.Arena.Allocate(id.Length);
        id.CopyTo(kept.WritableSpan);
        PatchScript script = new($$"""
            const other = load('{{_prefix}}{{other}}');
            put('{{_prefix}}{{other}}', { Saw: other === null ? '' : getMetadata(other)['@change-vector'] });
            this.Saw = getMetadata(this)['@change-vector'] || '';
            """, default);
        PatchRequest patch = new() { Id = kept, Script = script, IfMissing = script };
        PatchAction part = new("PATCH", returnsDocument: false);
        Assert.True(batch.TryAddAction(
            id, new ScriptAction(plan => ((PatchPlan)plan).TryPatch(in patch, part)), ExpectedVersion.Any));
        long began = Interlocked.Increment(ref _stamp);
        await ScriptedBatch.SubmitAsync(database, _scripts, (ulong)seed, batch, CancellationToken.None);
        long ended = Interlocked.Increment(ref _stamp);
        Assert.True(batch.Failure.IsNone, batch.Failure.Describe());
        HistoryWrite[] writes = [WriteOf(other, batch[0]), WriteOf(own, batch[1])];
        known[other] = writes[0].Etag;
        known[own] = writes[1].Etag;
        return new HistoryEvent { Began = began, Ended = ended, Writes = writes };
    }

    private HistoryWrite WriteOf(int document, in DocumentOperation operation)
    {
        Assert.True(BlittableObject.Open(operation.Document).TryGet("Saw"u8, out BlittableValue saw));
        return new HistoryWrite(
            document, IsPut: true, EtagOf(saw.GetString()), Etag: operation.Etag - _baseEtag);
    }

    private HistoryWrite NextWrite(Random random, Dictionary<int, long> known)
    {
        int document = random.Next(documents);
        long expected = random.Next(3) == 0 ? -1 : known.GetValueOrDefault(document);
        return new HistoryWrite(document, IsPut: random.Next(4) > 0, expected);
    }

    private void Add(OperationContext context, BatchCommand batch, HistoryWrite write)
    {
        ExpectedVersion expected = write.Expected switch
        {
            -1 => ExpectedVersion.Any,
            0 => ExpectedVersion.Missing,
            _ => ExpectedVersion.Of(Encoding.ASCII.GetBytes(
                $"A:{write.Expected + _baseEtag}-{database.Id.Text}")),
        };
        if (write.IsPut)
        {
            Assert.True(context.Parser.TryParse("{}"u8, BlittableMode.ToDisk, out BlittableObject document, out _));
            Assert.True(batch.TryAddPut(IdOf(write.Document), document, expected));
        }
        else
        {
            Assert.True(batch.TryAddDelete(IdOf(write.Document), expected));
        }
    }

    private long EtagOf(NativeSlice changeVector) => EtagOf(Encoding.UTF8.GetString(changeVector.Span));

    private long EtagOf(string changeVector)
    {
        ReadOnlySpan<byte> text = Encoding.UTF8.GetBytes(changeVector);
        return ChangeVector.TryReadEntry(ref text, out ChangeVectorEntry entry) ? entry.Etag - _baseEtag : 0;
    }

    private byte[] IdOf(int document) => Encoding.ASCII.GetBytes(_prefix + document);
}
