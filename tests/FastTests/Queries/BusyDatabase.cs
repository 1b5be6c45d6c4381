using System.Globalization;
using System.Text;
using FastTests.Support;
using Raven.Blittable.Contexts;
using Raven.Blittable.Reading;
using Raven.Documents;
using Raven.Documents.Indexing;
using Raven.Documents.Queries;

namespace FastTests.Queries;

/// <summary>
/// Queries of many threads over one collection while its documents change and its indexes are made, extended, removed
/// and rebuilt. An answer is compared with its own snapshot of the documents: a document unchanged since the query was
/// sent must be in it if and only if it meets the condition.
/// </summary>
/// <param name="seed">Gives the same queries and changes again; the order of threads is up to the machine.</param>
internal sealed class BusyDatabase(int seed) : IDisposable
{
    private const int DocumentCount = 40;
    private const int FieldCount = 24;
    private const int ValueCount = 4;

    private readonly IndexedDatabase _database = new(new IndexingOptions
    {
        ThreadsMax = 2, BatchDocumentsMax = 7, PollInterval = TimeSpan.FromMilliseconds(1),
        StaleWaitMax = TimeSpan.FromMinutes(1),
    });

    private int _asked;
    private int _askedBefore;

    /// <summary>The seed of the environment variable, to replay a failure.</summary>
    internal static int? ToldSeed => Environment.GetEnvironmentVariable("DEV_BUSY_SEED") is { } seed
        ? int.Parse(seed, CultureInfo.InvariantCulture)
        : null;

    /// <summary>How many queries were answered.</summary>
    internal int Asked => Volatile.Read(ref _asked);

    /// <summary>Runs queries, changes and upkeep beside one another.</summary>
    /// <param name="askers">Threads that ask.</param>
    /// <param name="queries">How many queries each of them asks.</param>
    internal async Task RunAsync(int askers, int queries)
    {
        using CancellationTokenSource over = new();
        Change(new Random(seed), DocumentCount);
        Task changing = Task.Run(() => Repeat(new Random(seed + 1), random =>
        {
            Change(random, random.Next(1, 4));
            Deadline.Shake(random, 3);
        }, over.Token));
        Task keeping = Task.Run(() => Repeat(new Random(seed + 2), Keep, over.Token));
        Task[] asking = [.. Enumerable.Range(0, askers).Select(asker => Task.Run(() =>
        {
            Random random = new(seed + 10 + asker);
            for (int i = 0; i < queries && !over.IsCancellationRequested; i++)
            {
                Ask(random);
            }
        }))];
        Task first = await Task.WhenAny([Task.WhenAll(asking), changing, keeping]);
        await over.CancelAsync();
        await first;
        await Task.WhenAll([changing, keeping, .. asking]);
    }

    public void Dispose() => _database.Dispose();

    private static void Repeat(Random random, Action<Random> action, CancellationToken over)
    {
        while (!over.IsCancellationRequested)
        {
            action(random);
        }
    }

    private static string FieldName(int number) => $"F{number.ToString(CultureInfo.InvariantCulture)}";

    /// <summary>Writes or deletes some documents in one transaction.</summary>
    private void Change(Random random, int count)
    {
        _database.Begin();
        for (int i = 0; i < count; i++)
        {
            string id = $"items/{(count == DocumentCount ? i : random.Next(DocumentCount))}";
            if (count < DocumentCount && random.Next(6) == 0)
            {
                _database.Delete(id);
                continue;
            }

            StringBuilder json = new("{");
            for (int field = 0; field < FieldCount; field++)
            {
                if (random.Next(5) > 0)
                {
                    json.Append(CultureInfo.InvariantCulture, $"\"{FieldName(field)}\":{random.Next(ValueCount)},");
                }
            }

            _database.Put(id, json.Append("\"@metadata\":{\"@collection\":\"Items\"}}").ToString());
        }

        _database.Submit();
    }

    /// <summary>
    /// Maintenance beside the queries: unneeded indexes are removed, and now and then one is rebuilt; not before a
    /// query was answered, so that on a slow machine each index lives as long as it takes to build.
    /// </summary>
    private void Keep(Random random)
    {
        DatabaseIndexes indexes = _database.Database.Indexes;
        indexes.Tick();
        DatabaseIndex[] all = [.. indexes.All];
        if (all.Length > 0 && Asked != _askedBefore)
        {
            _askedBefore = Asked;
            string name = all[random.Next(all.Length)].Name;
            _ = random.Next(all.Length > 2 ? 2 : 4) switch
            {
                0 => indexes.Changes.DeleteAsync(name).AsTask().Result,
                1 => indexes.Changes.ResetAsync(name).AsTask().Result,
                _ => false,
            };
        }

        Deadline.Shake(random, 20);
    }

    private void Ask(Random random)
    {
        Condition condition = Make(random, random.Next(3));
        string order = random.Next(3) == 0 ? $" order by {FieldName(random.Next(FieldCount))}" : "";
        string text = $"from Items where {condition.Text}{order}";
        long arrived;
        using (DocumentSnapshot before = _database.Database.BeginRead())
        {
            arrived = before.LastEtag;
        }

        using QuerySession session = _database.Begin(text);
        using OperationContext context = new();
        QueryHits hits = session.Find(context, isWhole: false);
        HashSet<string> found = [];
        while (hits.TryNext(out QueryHit hit))
        {
            string id = Encoding.UTF8.GetString(hit.Document.Id.Span);
            Assert.True(found.Add(id), $"{Told(text, session)} gives '{id}' twice");
        }

        DocumentCursor documents = session.Snapshot.DocumentsOfCollection("Items"u8, 0);
        while (documents.MoveNext(out StoredDocument document))
        {
            string id = Encoding.UTF8.GetString(document.Id.Span);
            Assert.True(
                document.Etag > arrived || found.Contains(id) == condition.IsMet(document.Data),
                $"{Told(text, session)} says of '{id}', which is as it was when that was asked, "
                + $"{found.Contains(id)} instead of {condition.IsMet(document.Data)}");
        }

        Interlocked.Increment(ref _asked);
    }

    private string Told(string text, QuerySession session) =>
        $"seed {seed} (DEV_BUSY_SEED={seed} asks the same again): {text} by {session.Plan.Name} "
        + $"(stale: {session.IsStale})";

    private static Condition Make(Random random, int depth)
    {
        if (depth == 0)
        {
            return Leaf(FieldName(random.Next(FieldCount)), random.Next(ValueCount), random.Next(6));
        }

        Condition left = Make(random, depth - 1);
        Condition right = Make(random, depth - 1);
        return random.Next(3) switch
        {
            0 => new($"({left.Text} and {right.Text})", one => left.IsMet(one) && right.IsMet(one)),
            1 => new($"({left.Text} or {right.Text})", one => left.IsMet(one) || right.IsMet(one)),
            _ => new($"({left.Text} and not {right.Text})", one => left.IsMet(one) && !right.IsMet(one)),
        };
    }

    private static Condition Leaf(string field, long value, int kind) => kind switch
    {
        0 => new($"{field} != {value}", one => ValueOf(one, field) != value),
        1 => new($"{field} > {value}", one => ValueOf(one, field) > value),
        2 => new($"exists({field})", one => ValueOf(one, field) is not null),
        3 => new($"exact({field} = {value})", one => ValueOf(one, field) == value),
        4 => new($"{field} in ({value}, {value + 1})", one => ValueOf(one, field) is { } own
            && (own == value || own == value + 1)),
        _ => new($"{field} = {value}", one => ValueOf(one, field) == value),
    };

    private static long? ValueOf(BlittableObject document, string field) =>
        document.TryGet(Encoding.UTF8.GetBytes(field), out BlittableValue value) && value.TryGetInt64(out long number)
            ? number
            : null;

    private sealed record Condition(string Text, Func<BlittableObject, bool> IsMet);
}
