using System.Text;
using System.Text.Json.Nodes;
using Raven.Blittable.Contexts;
using Raven.Blittable.Format;
using Raven.Blittable.Reading;
using Raven.Documents;
using Raven.Documents.Commands;
using Raven.Storage.Files;
using Raven.Storage.Options;
using Shared.Storage;

namespace FastTests.Documents.History;

/// <summary>
/// Clients that write, compare and read a few documents at once, until the power goes at a moment of the disk's log;
/// then the database is opened again and all documents are read.
/// </summary>
internal sealed class RegisterHistory(int seed) : IDisposable
{
    private const int Documents = 8;
    private readonly List<(int Document, RegisterEvent Event, int BeganAt, int EndedAt)> _events = [];
    private readonly SimulatedFileSystem _disk = new();
    private long _stamp;
    private long _number;

    /// <summary>Runs it, cuts the power at some moments, and gives what is wrong with what is left.</summary>
    internal async Task<List<string>> RunAsync(int clients, int eventsEach, int cuts)
    {
        using (TestDatabase database = new(Options(new LockedFileSystem(_disk))))
        {
            await Task.WhenAll(Enumerable.Range(0, clients)
                .Select(client => Task.Run(() => RunClientAsync(database.Database, client, eventsEach))));
        }

        Random random = new(seed);
        CrashImages images = new(_disk.Log);
        List<string> problems = [];
        foreach (int cut in Enumerable.Range(0, cuts).Select(_ => random.Next(_disk.Log.Count + 1)).Order())
        {
            images.AdvanceTo(cut);
            using SimulatedFileSystem left = new(images.Make(random));
            using TestDatabase database = new(Options(left) with { Scheduler = new ManualScheduler() });
            for (int document = 0; document < Documents; document++)
            {
                List<RegisterEvent> history = EventsUntil(cut, document);
                history.Add(new(long.MaxValue - 2, long.MaxValue - 1, RegisterEventKind.Read,
                    Read(database.Database, document, out _)));
                if (!RegisterChecker.IsLinearizable(history))
                {
                    problems.Add($"seed {seed}, cut {cut}: no order of the {history.Count} events of {document}");
                }
            }
        }

        return problems;
    }

    public void Dispose() => _disk.Dispose();

    /// <summary>
    /// Events that had begun when the power was cut; those without an answer may have happened or not.
    /// </summary>
    private List<RegisterEvent> EventsUntil(int cut, int document) =>
    [
        .. _events.Where(one => one.Document == document && one.BeganAt < cut)
            .Where(one => one.EndedAt < cut || one.Event.Kind != RegisterEventKind.Read)
            .Where(one => one.EndedAt < cut || !one.Event.IsRefused)
            .Select(one => one.EndedAt < cut ? one.Event : one.Event with { Ended = long.MaxValue }),
    ];

    private async Task RunClientAsync(Database database, int client, int count)
    {
        Random random = new((seed * 1000) + client);
        using OperationContext context = new();
        BatchCommand batch = new((ulong)seed);
        for (int i = 0; i < count; i++)
        {
            int document = random.Next(Documents);
            long expected = Read(database, document, out string vector);
            bool isCompare = random.Next(2) == 0;
            int beganAt = _disk.Log.Count;
            long began = Interlocked.Increment(ref _stamp);
            RegisterEvent one;
            if (random.Next(3) == 0)
            {
                long read = Read(database, document, out _);
                one = new(began, Interlocked.Increment(ref _stamp), RegisterEventKind.Read, read);
            }
            else
            {
                bool isDelete = random.Next(5) == 0;
                long value = isDelete ? 0 : Interlocked.Increment(ref _number);
                context.Reset();
                batch.Reset(context);
                Add(context, batch, document, value, isCompare ? vector : null);
                await database.SubmitAsync(batch);
                one = new(
                    began, Interlocked.Increment(ref _stamp),
                    isCompare ? RegisterEventKind.CompareAndSet : RegisterEventKind.Write, value, expected,
                    !batch.Failure.IsNone);
            }

            int endedAt = _disk.Log.Count;
            lock (_events)
            {
                _events.Add((document, one, beganAt, endedAt));
            }
        }
    }

    private static void Add(OperationContext context, BatchCommand batch, int document, long value, string? vector)
    {
        ExpectedVersion expected = vector is null ? ExpectedVersion.Any
            : vector.Length == 0 ? ExpectedVersion.Missing
            : ExpectedVersion.Of(Encoding.ASCII.GetBytes(vector));
        if (value == 0)
        {
            Assert.True(batch.TryAddDelete(IdOf(document), expected));
            return;
        }

        byte[] json = Encoding.ASCII.GetBytes(new JsonObject { ["V"] = value }.ToJsonString());
        Assert.True(context.Parser.TryParse(json, BlittableMode.ToDisk, out BlittableObject body, out _));
        Assert.True(batch.TryAddPut(IdOf(document), body, expected));
    }

    private static long Read(Database database, int document, out string vector)
    {
        using DocumentSnapshot snapshot = database.BeginRead();
        vector = "";
        if (!snapshot.TryGet(IdOf(document), out StoredDocument stored))
        {
            return 0;
        }

        vector = Encoding.ASCII.GetString(stored.ChangeVector.Span);
        Assert.True(stored.Data.TryGet("V"u8, out BlittableValue value));
        Assert.True(value.TryGetInt64(out long number));
        return number;
    }

    private static byte[] IdOf(int document) => Encoding.ASCII.GetBytes($"r/{document}");

    private static StorageOptions Options(IFileSystem disk) => new()
    {
        FileSystem = disk,
        JournalSizeBytesMin = 64 << 10,
        JournalSizeBytesMax = 256 << 10,
        FlushAfterBytes = 64 << 10,
    };
}
