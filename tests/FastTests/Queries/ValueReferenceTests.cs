using FastTests.Support;
using Raven.Documents;
using Raven.Documents.Indexing;
using Raven.Documents.Indexing.Definitions;

namespace FastTests.Queries;

/// <summary>Maps that read compare-exchange values follow them.</summary>
public sealed class ValueReferenceTests
{
    private const string CSharp =
        "from u in docs.Users select new { V = LoadCompareExchangeValue(u.Key) ?? -1, Count = 1 }";

    private const string JavaScript =
        "map('Users', u => { const v = cmpxchg(u.Key); return { V: v === null ? -1 : v, Count: 1 }; })";

    private const string Hidden =
        "map('Users', u => { const v = globalThis['cmp' + 'xchg'](u.Key); return { V: v === null ? -1 : v }; })";

    [Theory]
    [InlineData(CSharp)]
    [InlineData(JavaScript)]
    [InlineData(Hidden)]
    [Trait("Invariant", "REF-1")]
    public void When_a_compare_exchange_value_changes_only_the_documents_whose_maps_read_it_are_mapped_again(string map)
    {
        using IndexedDatabase database = new();
        Write(database, () =>
        {
            for (int i = 0; i < 30; i++)
            {
                database.Put($"users/{i}", $$"""{"Key":"K{{i % 10}}","@metadata":{"@collection":"Users"} }""");
            }

            database.PutValue("k3", "3");
        });
        DatabaseIndex index = Put(database, "Mine", map);
        Put(database, "Other", "map('Users', u => ({ Key: u.Key }))");
        Assert.Equal(["users/13", "users/23", "users/3"], Ask(database, "V = 3"));
        Assert.Equal(27, Ask(database, "V = -1").Length);
        Assert.Equal(30, index.Position.MapAttempts);

        Write(database, () => database.PutValue("k3", "33"));
        Assert.Empty(Ask(database, "V = 3"));
        Assert.Equal(["users/13", "users/23", "users/3"], Ask(database, "V = 33"));
        Write(database, () => database.PutValue("K4", "4"));
        Assert.Equal(["users/14", "users/24", "users/4"], Ask(database, "V = 4"));

        database.Restart();
        Write(database, () =>
        {
            database.RemoveValue("k3");
            database.PutValue("none", "4");
        });
        Assert.Empty(Ask(database, "V = 33"));
        Assert.Equal(3, Ask(database, "V = 4").Length);
        Write(database, () => database.PutValue("k3", "5"));
        Assert.Equal(["users/13", "users/23", "users/3"], Ask(database, "V = 5"));
        Assert.Equal(30 + (4 * 3), database.Database.Indexes.Find("Mine")!.Position.MapAttempts);
        Assert.Equal(30, database.Ask("from index 'Other'").Ids.Count);
        Assert.Equal(30, database.Database.Indexes.Find("Other")!.Position.MapAttempts);
    }

    [Fact]
    [Trait("Invariant", "REF-1")]
    public void An_index_is_stale_until_it_has_followed_a_changed_compare_exchange_value()
    {
        using IndexedDatabase database = new(new IndexingOptions { StaleWaitMax = TimeSpan.FromMilliseconds(50) });
        Write(database, () => database.Put("users/1", """{"Key":"k","@metadata":{"@collection":"Users"}}"""));
        DatabaseIndex index = Put(database, "Mine", CSharp);
        Eventually(() => index.CoveredEtag == 1);
        index.IsPaused = true;
        Write(database, () => database.PutValue("k", "1"));
        Assert.ThrowsAny<Exception>(() => Ask(database, "V = 1"));
        index.IsPaused = false;
        Eventually(() => index.CoveredEtag == 2);
        Assert.Single(Ask(database, "V = 1"));
        index.IsPaused = true;
        Write(database, () => database.RemoveValue("k"));
        Assert.ThrowsAny<Exception>(() => Ask(database, "V = 1"));
    }

    [Fact]
    [Trait("Invariant", "CX-2")]
    [Trait("Invariant", "CX-3")]
    public void A_removed_compare_exchange_key_is_listed_as_a_change_until_it_has_a_value_again()
    {
        using IndexedDatabase database = new();
        Write(database, () =>
        {
            database.PutValue("A", "1");
            database.PutValue("B", "1");
            database.RemoveValue("a");
            database.RemoveValue("none");
        });
        Assert.Equal("B:2 a:3", Changes(database, 0));
        Assert.Equal("a:3", Changes(database, 3));
        Write(database, () => database.PutValue("a", "2"));
        Assert.Equal("B:2 a:4", Changes(database, 0));
        Write(database, () =>
        {
            database.RemoveValue("B");
            database.RemoveValue("A");
        });
        Assert.Equal("b:5 a:6", Changes(database, 0));
        using DocumentSnapshot snapshot = database.Database.BeginRead();
        Assert.Equal((2, 6), (snapshot.CompareExchangeTombstoneCount, snapshot.LastCompareExchangeIndex));
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public void After_random_changes_of_documents_and_compare_exchange_values_indexes_and_groups_equal_a_model(int seed)
    {
        Random random = new(seed);
        using IndexedDatabase database = new(new IndexingOptions { BatchDocumentsMax = 4 });
        Dictionary<string, string> documents = [];
        Dictionary<string, int> values = [];
        Put(database, "Mine", seed % 2 == 0 ? CSharp : JavaScript);
        Put(database, new IndexDefinition
        {
            Name = "Groups",
            Maps = [CSharp],
            Reduce = "from r in results group r by r.V into g select new { V = g.Key, Count = g.Sum(x => x.Count) }",
        });
        for (int step = 0; step < 40; step++)
        {
            Write(database, () => Change(random, database, documents, values));
            if (random.Next(8) == 0)
            {
                database.Restart();
            }

            int[] expected = [.. documents.Values.Select(key => values.GetValueOrDefault(key, -1))];
            string where = $"seed {seed}, step {step}";
            for (int v = -1; v < 4; v++)
            {
                Assert.True(
                    Ask(database, $"V = {v}").Length == expected.Count(one => one == v), $"{where}: V = {v}");
            }

            string[] groups = [.. expected.GroupBy(one => one)
                .Select(group => $$"""{"Count":{{group.Count()}},"V":{{group.Key}}}""").Order()];
            string[] found = [.. database.AskStored("from index 'Groups'").Order()];
            Assert.True(
                groups.SequenceEqual(found),
                $"{where}: {string.Join(' ', found)} instead of {string.Join(' ', groups)}");
        }
    }

    [Theory]
    [InlineData("from u in docs.Users select new { Of = LoadCompareExchangeValue(\"owner\") }", true)]
    [InlineData("from u in docs.Users select new { Of = LoadDocument(\"owner\", \"Owners\").Name }", false)]
    [Trait("Invariant", "REF-2")]
    public void Documents_that_read_a_changed_value_are_mapped_once_each_if_they_need_several_batches(
        string map, bool isValue)
    {
        using CrashDisks disks = new(isLazy: false, seed: 9);
        using IndexedDatabase database = new(disks);
        Write(database, () =>
        {
            for (int i = 0; i < 600; i++)
            {
                database.Put($"users/{i}", "{\"@metadata\":{\"@collection\":\"Users\"}}");
            }
        });
        ChangeOwner(database, isValue, "a");
        DatabaseIndex index = Put(database, "Mine", map);
        database.CatchUp();
        Assert.Equal(600, Ask(database, "Of = 'a'").Length);

        ChangeOwner(database, isValue, "b");
        RunBatches(index, 25);
        Assert.Equal(600 + 250, index.Position.MapAttempts);
        database.Restart();
        index = database.Database.Indexes.Find("Mine")!;
        database.CatchUp();
        Assert.Equal(2 * 600, index.Position.MapAttempts);
        Assert.Equal(600, Ask(database, "Of = 'b'").Length);

        ChangeOwner(database, isValue, "c");
        RunBatches(index, 3);
        ChangeOwner(database, isValue, "d");
        database.CatchUp();
        Assert.Equal((3 * 600) + 30, index.Position.MapAttempts);
        Assert.Equal(600, Ask(database, "Of = 'd'").Length);
    }

    private static void ChangeOwner(IndexedDatabase database, bool isValue, string name) => Write(database, () =>
    {
        if (isValue)
        {
            database.PutValue("owner", $"\"{name}\"");
        }
        else
        {
            database.Put("owner", $$"""{"Name":"{{name}}","@metadata":{"@collection":"Owners"} }""");
        }
    });

    private static void RunBatches(DatabaseIndex index, int count)
    {
        for (int i = 0; i < count; i++)
        {
            index.RunQueued();
        }
    }

    private static void Change(
        Random random, IndexedDatabase database, Dictionary<string, string> documents, Dictionary<string, int> values)
    {
        for (int i = random.Next(1, 8); i > 0; i--)
        {
            string id = $"users/{random.Next(25)}";
            string key = $"k{random.Next(6)}";
            switch (random.Next(5))
            {
                case 0:
                    documents[id] = key;
                    database.Put(id, $$"""{"Key":"{{key}}","@metadata":{"@collection":"Users"} }""");
                    break;
                case 1 when random.Next(3) == 0:
                    documents.Remove(id);
                    database.Delete(id);
                    break;
                case 2:
                    values.Remove(key);
                    database.RemoveValue(key);
                    break;
                default:
                    values[key] = random.Next(4);
                    database.PutValue(key, $"{values[key]}");
                    break;
            }
        }
    }

    private static string Changes(IndexedDatabase database, long from)
    {
        using DocumentSnapshot snapshot = database.Database.BeginRead();
        List<string> found = [];
        Raven.Documents.CompareExchange.CompareExchangeChangeCursor cursor =
            snapshot.CompareExchangeChanges(from);
        while (cursor.MoveNext(out long index, out Raven.Blittable.Memory.NativeSlice key))
        {
            found.Add($"{System.Text.Encoding.UTF8.GetString(key.Span)}:{index}");
        }

        return string.Join(' ', found);
    }

    private static string[] Ask(IndexedDatabase database, string condition) =>
        [.. database.Ask($"from index 'Mine' where {condition}").Ids.Order()];

    private static DatabaseIndex Put(IndexedDatabase database, string name, string map) =>
        Put(database, new IndexDefinition { Name = name, Maps = [map] });

    private static DatabaseIndex Put(IndexedDatabase database, IndexDefinition definition) =>
        database.Database.Indexes.Changes.PutAsync(definition).AsTask().Result;

    private static void Write(IndexedDatabase database, Action change)
    {
        database.Begin();
        change();
        database.Submit();
    }

    private static void Eventually(Func<bool> condition) =>
        Deadline.Until(condition);
}
