using Raven.Documents.Indexing;
using Raven.Documents.Indexing.Definitions;

namespace FastTests.Queries;

/// <summary>
/// <c>intersect()</c> over an index that makes several entries a document: random conditions, each compared with a look
/// at all documents, while these change.
/// </summary>
/// <param name="seed">Of the random numbers.</param>
/// <param name="documentsMax">How many documents there may be.</param>
/// <param name="queries">How many queries follow each change.</param>
internal abstract class IntersectionRun<TEntry>(int seed, int documentsMax, int queries)
{
    private static readonly string[] Colors = ["Blue", "Gray", "Red"];
    private static readonly string[] Makers = ["Ann", "Bob"];

    private readonly Dictionary<string, Shirt> _shirts = [];

    private protected Random Random { get; } = new(seed);

    internal async Task RunAsync(string map)
    {
        using IndexedDatabase database = new(new IndexingOptions { ThreadsMax = -1, BatchDocumentsMax = 10 });
        await database.Database.Indexes.Changes.PutAsync(new IndexDefinition { Name = "Shirts/ByType", Maps = [map] });
        for (int round = 0; round < 5; round++)
        {
            Change(database);
            database.CatchUp();
            for (int i = 0; i < queries; i++)
            {
                Check(database, $"seed {seed}, round {round}, query {i}");
            }
        }
    }

    /// <summary>The entries of a document.</summary>
    private protected abstract List<TEntry> NewEntries();

    /// <summary>What a document has for an entry.</summary>
    private protected abstract string JsonOf(TEntry entry);

    /// <summary>A condition, and which of all entries meet it.</summary>
    private protected abstract (string Text, Predicate<TEntry> IsMet) Condition(List<TEntry> all);

    /// <summary>Checks what more there is to know of a query whose result was right.</summary>
    private protected virtual void CheckMore(IndexedDatabase database, string text, List<string> ids, string where)
    {
    }

    private protected string AnyColor() => Pick(Colors);

    private protected string Pick(string[] words) => words[Random.Next(words.Length)];

    private void Change(IndexedDatabase database)
    {
        database.Begin();
        for (int i = 0; i < 25; i++)
        {
            string id = $"shirts/{Random.Next(documentsMax)}";
            if (Random.Next(6) == 0)
            {
                _shirts.Remove(id);
                database.Delete(id);
                continue;
            }

            List<TEntry> types = NewEntries();
            _shirts[id] = new Shirt(Pick(Makers), types);
            database.Put(id, $$"""
                {"Maker":"{{_shirts[id].Maker}}","Types":[{{string.Join(",", types.Select(JsonOf))}}],
                "@metadata":{"@collection":"Shirts"} }
                """);
        }

        database.Submit();
    }

    private void Check(IndexedDatabase database, string where)
    {
        List<TEntry> all = [.. _shirts.Values.SelectMany(shirt => shirt.Types)];
        List<(string Text, Predicate<TEntry> IsMet)> conditions =
            [.. Enumerable.Range(0, Random.Next(1, 4)).Select(_ => Condition(all))];
        string? maker = Random.Next(3) == 0 ? Pick(Makers) : null;
        string text = $"from index 'Shirts/ByType' where {(maker is null ? "" : $"Maker = '{maker}' and ")}"
            + $"intersect({string.Join(", ", conditions.Select(one => one.Text))})";
        Dictionary<string, Shirt> expected = _shirts
            .Where(one => (maker is null || one.Value.Maker == maker)
                && conditions.TrueForAll(condition => one.Value.Types.Exists(condition.IsMet)))
            .ToDictionary();
        int entries = expected.Values.Sum(shirt => shirt.Types.FindAll(conditions[0].IsMet).Count);
        (List<string> ids, long total, _) = database.Ask(text);
        Assert.True(
            ids.Order(StringComparer.Ordinal).SequenceEqual(expected.Keys.Order(StringComparer.Ordinal)),
            $"{where}: {text} gives {string.Join(' ', ids)} instead of {string.Join(' ', expected.Keys)}");
        Assert.True(total == entries, $"{where}: {text} counts {total} entries instead of {entries}");
        CheckMore(database, text, ids, where);
    }

    private sealed record Shirt(string Maker, List<TEntry> Types);
}
