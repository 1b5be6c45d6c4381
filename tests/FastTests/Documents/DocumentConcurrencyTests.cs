using System.Text;
using Raven.Blittable.Contexts;
using Raven.Blittable.Format;
using Raven.Blittable.Reading;
using Raven.Documents;
using Raven.Documents.Changes;
using Raven.Documents.Commands;

namespace FastTests.Documents;

/// <summary>Many writers and readers at once: nothing is lost, nothing is seen half done.</summary>
public sealed class DocumentConcurrencyTests : IDisposable
{
    private readonly TestDatabase _database = new();

    public void Dispose() => _database.Dispose();

    [Fact]
    public async Task No_update_is_lost_between_writers_that_expect_change_vectors()
    {
        const int writers = 8;
        const int incrementsEach = 60;
        string[] ids = ["counters/a", "counters/b", "counters/c"];
        await Task.WhenAll(Enumerable.Range(0, writers).Select(writer => Task.Run(async () =>
        {
            Random random = new(writer);
            using OperationContext context = new();
            BatchCommand batch = new((ulong)writer);
            for (int i = 0; i < incrementsEach;)
            {
                string id = ids[random.Next(ids.Length)];
                i += await TryIncrementAsync(batch, context, id) ? 1 : 0;
            }
        })));

        using DocumentSnapshot snapshot = _database.Database.BeginRead();
        Assert.Equal(writers * incrementsEach, ids.Sum(id => ReadNumber(snapshot, id, out _)));
        Assert.Equal(writers * incrementsEach, snapshot.LastEtag);
    }

    [Fact]
    [Trait("Invariant", "CHG-3")]
    [Trait("Invariant", "CMD-3")]
    public async Task Every_snapshot_sees_whole_batches_and_listeners_get_them_in_order()
    {
        const int accounts = 10;
        const int total = accounts * 100;
        Recorder recorder = new();
        _database.Database.Changes.Add(recorder);
        for (int i = 0; i < accounts; i++)
        {
            _database.Put($"accounts/{i}", """{"N":100}""");
        }

        using CancellationTokenSource done = new();
        Task<int>[] readers = [.. Enumerable.Range(0, 2).Select(_ => Task.Run(() =>
        {
            int sums = 0;
            do
            {
                using DocumentSnapshot snapshot = _database.Database.BeginRead();
                Assert.Equal(total, Enumerable.Range(0, accounts)
                    .Sum(i => ReadNumber(snapshot, $"accounts/{i}", out string _)));
                sums++;
            }
            while (!done.IsCancellationRequested);
            return sums;
        }))];
        int[] transfers = await Task.WhenAll(Enumerable.Range(0, 6).Select(writer =>
            Task.Run(() => TransferAsync(writer, accounts))));
        await done.CancelAsync();
        Assert.All(await Task.WhenAll(readers), sums => Assert.True(sums > 0));
        Assert.True(transfers.Sum() > 0);

        Assert.Equal(Enumerable.Range(1, accounts + (2 * transfers.Sum())).Select(etag => (long)etag), recorder.Etags);
    }

    [Fact]
    [Trait("Invariant", "HOLD-2")]
    public async Task A_database_may_be_closed_at_any_time_between_its_uses()
    {
        const int writers = 3;
        const int incrementsEach = 15;
        int closed = 0;
        await Task.WhenAll(Enumerable.Range(0, writers).Select(writer => Task.Run(async () =>
        {
            using OperationContext context = new();
            BatchCommand batch = new(1);
            for (int i = 0; i < incrementsEach; i++)
            {
                Assert.True(await TryIncrementAsync(batch, context, $"mine/{writer}"));
                if (_database.Database.TryClose())
                {
                    Interlocked.Increment(ref closed);
                }
            }
        })));

        // At least one close found no user.
        Assert.True(closed > 0);
        using DocumentSnapshot snapshot = _database.Database.BeginRead();
        Assert.Equal(
            writers * incrementsEach,
            Enumerable.Range(0, writers).Sum(i => ReadNumber(snapshot, $"mine/{i}", out string _)));
    }

    private async Task<int> TransferAsync(int writer, int accounts)
    {
        Random random = new(writer);
        using OperationContext context = new();
        BatchCommand batch = new((ulong)writer);
        int done = 0;
        for (int i = 0; i < 15; i++)
        {
            int from = random.Next(accounts);
            int to = (from + random.Next(1, accounts)) % accounts;
            context.Reset();
            batch.Reset(context);
            using (DocumentSnapshot snapshot = _database.Database.BeginRead())
            {
                long fromNumber = ReadNumber(snapshot, $"accounts/{from}", out string fromVersion);
                long toNumber = ReadNumber(snapshot, $"accounts/{to}", out string toVersion);
                Add(batch, context, $"accounts/{from}", fromNumber - 1, fromVersion);
                Add(batch, context, $"accounts/{to}", toNumber + 1, toVersion);
            }

            await _database.Database.SubmitAsync(batch);
            done += batch.Failure.IsNone ? 1 : 0;
        }

        return done;
    }

    private async Task<bool> TryIncrementAsync(BatchCommand batch, OperationContext context, string id)
    {
        context.Reset();
        batch.Reset(context);
        using (DocumentSnapshot snapshot = _database.Database.BeginRead())
        {
            Add(batch, context, id, ReadNumber(snapshot, id, out string version) + 1, version);
        }

        await _database.Database.SubmitAsync(batch);
        return batch.Failure.IsNone;
    }

    private static void Add(BatchCommand batch, OperationContext context, string id, long number, string version)
    {
        byte[] json = Encoding.UTF8.GetBytes($$"""{"N":{{number}}}""");
        Assert.True(context.Parser.TryParse(json, BlittableMode.ToDisk, out BlittableObject document, out _));
        Assert.True(batch.TryAddPut(
            Encoding.UTF8.GetBytes(id), document, ExpectedVersion.Of(Encoding.UTF8.GetBytes(version))));
    }

    private static long ReadNumber(DocumentSnapshot snapshot, string id, out string version)
    {
        if (!snapshot.TryGet(Encoding.UTF8.GetBytes(id), out StoredDocument document))
        {
            version = "";
            return 0;
        }

        version = TestDatabase.Text(document.ChangeVector);
        Assert.True(document.Data["N"u8].TryGetInt64(out long number));
        return number;
    }

    private sealed class Recorder : IDocumentChangeListener
    {
        internal List<long> Etags { get; } = [];

        public void OnChange(in DocumentChange change) => Etags.Add(change.Etag);

        public void OnCommitted(long lastEtag)
        {
        }
    }
}
