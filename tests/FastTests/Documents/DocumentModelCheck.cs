using System.Text;
using Raven.Blittable.Memory;
using Raven.Documents;
using Raven.Documents.Ids;
using Raven.Documents.Rows;

namespace FastTests.Documents;

/// <summary>Random batches for a database and its <see cref="DocumentModel"/>, and the comparison of the two.</summary>
internal static class DocumentModelCheck
{
    private static readonly string[] Stems =
        ["users/", "Users/", "ORDERS/", "\u212A", "k", "\u023A/", "\u2C65/", "\U0001F600", "שלום/", "\u03A3"];

    private static readonly string[] Collections = ["Users", "USERS", "Orders", "@empty", "\u212Aelvin"];

    /// <summary>One random batch, on both; what they answer must agree.</summary>
    internal static void Step(Random random, DocumentModel model, TestDatabase database, string place)
    {
        List<DocumentModel.Operation> operations = [];
        for (int i = random.Next(1, random.Next(8) == 0 ? 40 : 5); i > 0; i--)
        {
            operations.Add(NextOperation(random, model));
        }

        Submit(operations, model, database, place);
    }

    /// <summary>A batch, on both; what they answer must agree.</summary>
    internal static void Submit(
        IReadOnlyList<DocumentModel.Operation> operations, DocumentModel model, TestDatabase database, string place)
    {
        database.StartBatch();
        foreach (DocumentModel.Operation operation in operations)
        {
            Assert.True(operation.IsPut
                ? database.AddPut(operation.Id, operation.Json, operation.Expected)
                : database.AddDelete(operation.Id, operation.Expected));
        }

        long lastEtag = model.LastEtag;
        bool isDone = database.Submit();
        int failed = model.Apply(operations, database.Clock.Now.UtcTicks);
        Assert.True(failed < 0 == isDone, $"{place}: the model says {failed}");
        if (!isDone)
        {
            Assert.Equal(failed, database.Batch.Failure.OperationIndex);
            return;
        }

        for (int i = 0; i < operations.Count; i++)
        {
            var result = database.Batch[i];
            if (result.IsChanged)
            {
                Assert.True(result.Etag > lastEtag, place);
                Assert.Equal(DocumentModel.Version(result.Etag), TestDatabase.Text(result.ChangeVector));
                lastEtag = result.Etag;
            }
        }

        Assert.Equal(model.LastEtag, lastEtag);
    }

    /// <summary>A put or a delete, now and then of what must not be there, or be another version.</summary>
    internal static DocumentModel.Operation NextOperation(Random random, DocumentModel model)
    {
        string id = Stems[random.Next(Stems.Length)] + random.Next(6);
        string collection = Collections[random.Next(Collections.Length)];
        int size = random.Next(10) == 0 ? random.Next(20_000) : random.Next(200);
        string text = new([.. Enumerable.Range(0, size).Select(_ => (char)random.Next('a', 'z'))]);
        int number = random.Next();
        string json = $$$"""{"N":{{{number}}},"T":"{{{text}}}","@metadata":{"@collection":"{{{collection}}}"}}""";
        DocumentModel.Document? there = model.Documents.GetValueOrDefault(DocumentModel.Fold(id));
        string? expected = random.Next(10) switch
        {
            0 => "",
            1 => DocumentModel.Version(random.Next(1, 100)),
            2 or 3 => there is null ? null : DocumentModel.Version(there.Etag),
            4 => there is null ? "" : null,
            _ => null,
        };
        return new(random.Next(3) > 0, id, json, collection, expected);
    }

    /// <summary>Everything that can be read must be what the model says.</summary>
    internal static void Compare(DocumentModel model, Database database)
    {
        using DocumentSnapshot snapshot = database.BeginRead();
        Compare(model, snapshot);
    }

    /// <summary>All that can be read of a snapshot is what the model had then.</summary>
    internal static void Compare(DocumentModel model, DocumentSnapshot snapshot)
    {
        Assert.Equal(model.LastEtag, snapshot.LastEtag);
        Assert.Equal(model.Documents.Count, snapshot.DocumentCount);
        Assert.Equal(model.Tombstones.Count, snapshot.TombstoneCount);

        foreach ((string key, DocumentModel.Document expected) in model.Documents)
        {
            Assert.True(snapshot.TryGet(Encoding.UTF8.GetBytes(key), out StoredDocument stored), expected.Id);
            Assert.Equal(expected, Describe(stored));
            Assert.Equal(DocumentModel.Version(expected.Etag), TestDatabase.Text(stored.ChangeVector));
        }

        Assert.Equal(
            model.Documents.Values.OrderBy(document => document.Etag),
            All(snapshot.DocumentsByEtag(0)));
        Assert.Equal(
            model.Documents.OrderBy(pair => pair.Key, Utf8Order.Instance).Select(pair => pair.Value),
            AllByPrefix(snapshot));
        Assert.Equal(
            TombstonesOf(model, _ => true),
            All(snapshot.TombstonesByEtag(0)));
        Assert.Equal(model.Collections.Count, snapshot.CollectionCount);
        foreach ((string key, string name) in model.Collections)
        {
            byte[] utf8 = Encoding.UTF8.GetBytes(name);
            List<DocumentModel.Document> documents =
                [.. model.Documents.Values.Where(document => DocumentModel.Fold(document.Collection) == key)];
            Assert.Equal(documents.Count, snapshot.CountOfCollection(utf8));
            Assert.Equal(
                documents.OrderBy(document => document.Etag),
                All(snapshot.DocumentsOfCollection(utf8, 0)));
            Assert.Equal(
                TombstonesOf(model, tombstone => DocumentModel.Fold(tombstone.Collection) == key),
                All(snapshot.TombstonesOfCollection(utf8, 0)));
        }

        CollectionCursor collections = snapshot.Collections();
        while (collections.MoveNext(out CollectionInfo collection))
        {
            string name = TestDatabase.Text(collection.Name);
            Assert.Equal(model.Collections[DocumentModel.Fold(name)], name);
        }
    }

    private static IEnumerable<DocumentModel.Tombstone> TombstonesOf(
        DocumentModel model, Func<DocumentModel.Tombstone, bool> where) =>
        model.Tombstones.Values.Where(where).OrderBy(tombstone => tombstone.Etag)
            .Select(tombstone => tombstone with
            {
                Collection = model.Collections[DocumentModel.Fold(tombstone.Collection)],
            });

    private static DocumentModel.Document Describe(StoredDocument stored) => new(
        TestDatabase.Text(stored.Id),
        TestDatabase.Json(stored),
        stored.Data["@metadata"u8].AsObject()["@collection"u8].GetString(),
        stored.Etag,
        stored.LastModifiedTicks);

    private static List<DocumentModel.Document> All(DocumentCursor cursor)
    {
        List<DocumentModel.Document> all = [];
        while (cursor.MoveNext(out StoredDocument document))
        {
            all.Add(Describe(document));
        }

        return all;
    }

    private static List<DocumentModel.Document> AllByPrefix(DocumentSnapshot snapshot)
    {
        using Arena arena = new();
        Assert.True(PrefixQuery.TryCreate(
            arena, default, default, default, default, out PrefixQuery query, out DocumentIdError _));
        PrefixCursor cursor = snapshot.DocumentsByPrefix(in query);
        List<DocumentModel.Document> all = [];
        while (cursor.MoveNext(out StoredDocument document))
        {
            all.Add(Describe(document));
        }

        return all;
    }

    private static List<DocumentModel.Tombstone> All(TombstoneCursor cursor)
    {
        List<DocumentModel.Tombstone> all = [];
        while (cursor.MoveNext(out StoredTombstone tombstone))
        {
            all.Add(new(
                TestDatabase.Text(tombstone.Id),
                Encoding.UTF8.GetString(tombstone.Collection),
                tombstone.Kind == RowKind.LeftCollection,
                tombstone.Etag,
                tombstone.DeletedEtag,
                tombstone.LastModifiedTicks));
        }

        return all;
    }

    private sealed class Utf8Order : IComparer<string>
    {
        internal static readonly Utf8Order Instance = new();

        public int Compare(string? left, string? right) =>
            Encoding.UTF8.GetBytes(left!).AsSpan().SequenceCompareTo(Encoding.UTF8.GetBytes(right!));
    }
}
