using System.Text;
using Raven.Search;
using Raven.Search.Lucene.Engine;
using Raven.Search.Queries;
using Raven.Search.Searchers;
using Raven.Storage.Options;
using Shared.Storage;

namespace FastTests.Search;

/// <summary>
/// Random queries over a random index, judged by a naive evaluator: equal sets, counts and order; with batches, merges
/// and restarts between.
/// </summary>
internal sealed class QueryDifferential : IDisposable
{
    private static readonly string[] Fields =
        ["Name", "Number", "Tags", "Missing"];

    private readonly SearchEngineType _engine;
    private readonly int _seed;
    private readonly Random _random;
    private readonly SimulatedFileSystem _disk = new();
    private readonly ManualScheduler _scheduler = new();
    private readonly NaiveIndex _naive = new();
    private readonly IndexSearcher _searcher = new();
    private readonly SearchQuery _query = new();
    private SearchIndex _index;

    internal QueryDifferential(int seed, SearchEngineType engine)
    {
        _engine = engine;
        _seed = seed;
        _random = new Random(seed);
        _index = Open();
    }

    /// <summary>Runs so many queries.</summary>
    internal void Run(int queries, int documentsMax)
    {
        for (int done = 0; done < queries; done += 20)
        {
            Change(documentsMax);
            List<NaiveEntry> entries = [.. _naive.Entries];
            using IndexReader reader = _index.BeginRead();
            Assert.Equal(entries.Count, reader.EntryCount);
            for (int i = 0; i < 20; i++)
            {
                Check(reader, entries, done + i);
            }
        }
    }

    public void Dispose()
    {
        _index.Dispose();
        _disk.Dispose();
    }

    private void Change(int documentsMax)
    {
        _naive.Step(_random, _index, _random.Next(1, _random.Next(4) == 0 ? documentsMax : 20), documentsMax);
        int next = _random.Next(12);
        if (next < 4)
        {
            _index.Merge();
        }
        else if (next == 4)
        {
            _index.MergeAll();
        }
        else if (next == 5)
        {
            _scheduler.RunAll();
            _index.Dispose();
            _index = Open();
        }
    }

    private void Check(IndexReader reader, List<NaiveEntry> entries, int number)
    {
        _query.Clear();
        RandomQuery made = new(_random, _query);
        (int root, Func<NaiveEntry, bool> matches) = made.Make(3);
        SearchRequest request = new() { Skip = _random.Next(3) * 3, Take = _random.Next(2) == 0 ? 7 : 1_000_000 };
        request.WithScores = _random.Next(3) == 0;
        AddOrders(request);
        _searcher.Run(reader, _query, root, request);
        List<NaiveEntry> expected = [.. entries.Where(matches)];
        string orders = string.Join(", ", request.Orders);
        string what = $"{_engine}, seed {_seed}, query {number}: {made.Text} order by {orders}";
        Assert.True(expected.Count == _searcher.TotalCount, $"{what}: {_searcher.TotalCount}, not {expected.Count}");
        int count = Math.Max(0, Math.Min(request.Take, expected.Count - request.Skip));
        Assert.True(count == _searcher.Count, $"{what}: {_searcher.Count} results, not {count}");
        string[] ids = [.. Enumerable.Range(0, count).Select(i => Encoding.UTF8.GetString(_searcher.DocumentId(i)))];
        if (request.Skip == 0 && count == expected.Count)
        {
            Assert.True(
                expected.Select(entry => entry.Id).Order().SequenceEqual(ids.Order()), $"{what}: other documents");
        }

        CheckOrder(request, expected, ids, what);
    }

    private void AddOrders(SearchRequest request)
    {
        for (int i = _random.Next(3); i > 0; i--)
        {
            request.Orders.Add(new OrderKey(
                _random.Next(4) == 0 ? OrderKind.Number : OrderKind.Value,
                Fields[_random.Next(Fields.Length)],
                _random.Next(2) == 0,
                _random.Next(2) == 0,
                0));
        }
    }

    /// <summary>Results with equal keys may come in any order, so that the keys are compared; an id does not say which
    /// of its document's entries it was, and so one of them must have the key.</summary>
    private static void CheckOrder(SearchRequest request, List<NaiveEntry> expected, string[] ids, string what)
    {
        if (request.Orders.Count == 0)
        {
            return;
        }

        Comparer<object?[]> order = Comparer<object?[]>.Create((left, right) => Compare(request, left, right));
        object?[][] keys = [.. expected.Select(entry => KeysOf(request, entry)).Order(order)];
        HashSet<string> shown = [.. ids];
        ILookup<string, object?[]> own = expected.Where(entry => shown.Contains(entry.Id))
            .ToLookup(entry => entry.Id, entry => KeysOf(request, entry));
        for (int i = 0; i < ids.Length; i++)
        {
            object?[] wanted = keys[request.Skip + i];
            Assert.True(
                own[ids[i]].Any(found => found.SequenceEqual(wanted)),
                $"{what}: at {i} {ids[i]}, wanted {string.Join('|', wanted)}");
        }
    }

    private static int Compare(SearchRequest request, object?[] left, object?[] right)
    {
        for (int i = 0; i < left.Length; i++)
        {
            OrderKey key = request.Orders[i];
            (object? one, object? other) = (left[i], right[i]);
            int order = one is null || other is null
                ? (one is null).CompareTo(other is null) * (key.NullsLast ? 1 : -1)
                : NaiveEntry.Compare(one, other) * (key.IsDescending ? -1 : 1);
            if (order != 0)
            {
                return order;
            }
        }

        return 0;
    }

    private static object?[] KeysOf(SearchRequest request, NaiveEntry entry) =>
        [.. request.Orders.Select(key => ValueOf(key, entry))];

    /// <summary>
    /// The least value; for a descending order the greatest number, or without one the greatest value.
    /// </summary>
    private static object? ValueOf(OrderKey key, NaiveEntry entry)
    {
        bool isOfNumbers = key.Kind != OrderKind.Value
            || (key.IsDescending && entry.Of(key.Field).Any(value => value is decimal));
        object? best = null;
        bool isFirst = true;
        foreach (object? value in entry.Of(key.Field))
        {
            if ((!isOfNumbers || value is decimal)
                && (isFirst || (NaiveEntry.Compare(value, best) < 0) != key.IsDescending))
            {
                best = value;
                isFirst = false;
            }
        }

        return best;
    }

    private SearchIndex Open() => LuceneEngine.Open(
        new SearchIndexOptions { Storage = new StorageOptions { FileSystem = _disk, Scheduler = _scheduler } },
        _engine);
}
