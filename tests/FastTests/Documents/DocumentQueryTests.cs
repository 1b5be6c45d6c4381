using System.Text;
using FastTests.Support;
using Raven.Blittable.Memory;
using Raven.Documents;
using Raven.Documents.Ids;
using Raven.Documents.Rows;

namespace FastTests.Documents;

/// <summary>Documents by prefix, by etag and by collection, and what deletions leave behind.</summary>
public sealed class DocumentQueryTests : IDisposable
{
    private readonly TestDatabase _database = new();
    private readonly Arena _arena = new();

    public void Dispose()
    {
        _database.Dispose();
        _arena.Dispose();
    }

    [Fact]
    public void A_prefix_search_finds_its_documents_in_the_order_of_their_keys()
    {
        PutAll("users/10", "Users/1", "users/2", "user", "users", "usersX", "orders/1", "zebra");
        Assert.Equal(["Users/1", "users/10", "users/2"], ByPrefix("USERS/"));
        Assert.Equal(["users", "Users/1", "users/10", "users/2", "usersX"], ByPrefix("users"));
        Assert.Equal(
            ["orders/1", "user", "users", "Users/1", "users/10", "users/2", "usersX", "zebra"], ByPrefix(""));
        Assert.Empty(ByPrefix("users/3"));
        Assert.Empty(ByPrefix("zz"));
    }

    [Fact]
    public void Patterns_and_a_start_narrow_a_search_by_prefix()
    {
        PutAll("u/1", "u/10", "u/11", "u/2", "u/20", "u/300", "v/1");
        Assert.Equal(["u/1", "u/10", "u/11"], ByPrefix("u/", matches: "1*"));
        Assert.Equal(["u/10", "u/11", "u/20"], ByPrefix("u/", matches: "??"));
        Assert.Equal(["u/1", "u/2", "u/300"], ByPrefix("u/", exclude: "??"));
        Assert.Equal(["u/10", "u/11"], ByPrefix("u/", matches: "1*", exclude: "1"));
        Assert.Equal(["u/2", "u/20", "u/300"], ByPrefix("u/", startAfter: "U/11"));
        Assert.Equal(["u/2", "u/20", "u/300"], ByPrefix("u/", startAfter: "u/19"));
        Assert.Equal(["u/1", "u/10", "u/11", "u/2", "u/20", "u/300"], ByPrefix("u/", startAfter: "a"));
        Assert.Empty(ByPrefix("u/", startAfter: "v"));
        Assert.Empty(ByPrefix("u/", startAfter: "u/300"));
        Assert.Equal(["u/300", "v/1"], ByPrefix("", startAfter: "u/20"));
    }

    [Fact]
    public void A_prefix_search_continues_behind_any_of_its_documents()
    {
        PutAll([.. Enumerable.Range(0, 30).Select(i => $"P/{i:D2}")]);
        List<string> ids = [];
        PrefixQuery query = Query("p/", "", "", "");
        NativeSlice room = _arena.Allocate(DocumentId.SizeBytesMax);
        for (bool found = true; found && ids.Count < 40;)
        {
            using DocumentSnapshot snapshot = _database.Database.BeginRead();
            PrefixCursor cursor = snapshot.DocumentsByPrefix(in query);
            found = cursor.MoveNext(out StoredDocument document);
            if (found)
            {
                ids.Add(TestDatabase.Text(document.Id));
                query = query.After(in document, room);
            }
        }

        Assert.Equal(Enumerable.Range(0, 30).Select(i => $"P/{i:D2}"), ids);
    }

    [Fact]
    public void Only_matching_documents_count_as_skipped_in_a_prefix_search()
    {
        PutAll("u/1", "u/2", "u/31", "u/4", "u/52");
        PrefixQuery query = Query("u/", "", "?", "");
        using DocumentSnapshot snapshot = _database.Database.BeginRead();
        PrefixCursor cursor = snapshot.DocumentsByPrefix(in query);
        Assert.True(cursor.Skip(2));
        Assert.True(cursor.MoveNext(out StoredDocument document));
        Assert.Equal("u/4", TestDatabase.Text(document.Id));
        Assert.False(cursor.Skip(1));
    }

    [Fact]
    public void A_prefix_that_no_id_can_have_is_refused()
    {
        Assert.False(PrefixQuery.TryCreate(
            _arena, "a\u001f"u8, default, default, default, out _, out DocumentIdError error));
        Assert.Equal(DocumentIdProblem.ControlCharacter, error.Problem);
        Assert.False(PrefixQuery.TryCreate(_arena, "a"u8, new byte[513], default, default, out _, out error));
        Assert.Equal(DocumentIdProblem.TooLong, error.Problem);
    }

    [Fact]
    public void Documents_by_etag_are_in_the_order_of_their_last_change()
    {
        PutAll("a", "b", "c");
        PutAll("a");
        Assert.Equal(["b", "c", "a"], ByEtag(0));
        Assert.Equal(["c", "a"], ByEtag(3));
        Assert.Equal(["a"], ByEtag(4));
        Assert.Empty(ByEtag(5));
        Assert.Equal(["a", "c", "b"], ByEtagDescending(long.MaxValue));
        Assert.Equal(["c", "b"], ByEtagDescending(3));
        Assert.Empty(ByEtagDescending(1));
    }

    [Fact]
    public void A_collection_has_its_documents_and_counts_them()
    {
        _database.Put("u/1", InCollection("Users"));
        _database.Put("o/1", InCollection("Orders"));
        _database.Put("u/2", InCollection("USERS"));
        Assert.Equal(["u/1", "u/2"], OfCollection("users"));
        Assert.Equal(["u/2"], OfCollection("Users", 2));
        Assert.Empty(OfCollection("nothing"));

        _database.Delete("u/1");
        using DocumentSnapshot snapshot = _database.Database.BeginRead();
        List<(string, long, long)> collections = [];
        CollectionCursor cursor = snapshot.Collections();
        while (cursor.MoveNext(out CollectionInfo info))
        {
            collections.Add((TestDatabase.Text(info.Name), info.DocumentCount, info.TombstoneCount));
        }

        Assert.Equal([("Orders", 1, 0), ("Users", 1, 1)], collections);
        Assert.Equal(1, snapshot.CountOfCollection("uSERS"u8));
        DatabaseStatistics statistics = DatabaseStatistics.Of(snapshot);
        Assert.Equal(2, statistics.DocumentCount);
        Assert.Equal(1, statistics.TombstoneCount);
        Assert.Equal(2, statistics.CollectionCount);
        Assert.Equal(3, statistics.LastDocumentEtag);
        Assert.Equal(4, statistics.LastEtag);
        Assert.True(statistics.SizeOnDiskBytes > 0);
    }

    [Fact]
    public void A_deletion_leaves_a_tombstone_until_the_document_is_written_again()
    {
        _database.Put("Users/1", InCollection("Users"));
        _database.Put("users/2", InCollection("Users"));
        _database.Clock.Now += TimeSpan.FromSeconds(3);
        string version = TestDatabase.Text(_database.Delete("users/1").ChangeVector);
        Assert.Equal(TestDatabase.ChangeVectorOf(3), version);
        using (DocumentSnapshot snapshot = _database.Database.BeginRead())
        {
            TombstoneCursor cursor = snapshot.TombstonesByEtag(0);
            Assert.True(cursor.MoveNext(out StoredTombstone tombstone));
            Assert.Equal(RowKind.Document, tombstone.Kind);
            Assert.Equal("Users/1", TestDatabase.Text(tombstone.Id));
            Assert.Equal(3, tombstone.Etag);
            Assert.Equal(1, tombstone.DeletedEtag);
            Assert.Equal(version, TestDatabase.Text(tombstone.ChangeVector));
            Assert.Equal(_database.Clock.Now.UtcTicks, tombstone.LastModifiedTicks);
            Assert.False(cursor.MoveNext(out _));
            cursor = snapshot.TombstonesOfCollection("users"u8, 0);
            Assert.True(cursor.MoveNext(out tombstone));
            Assert.False(cursor.MoveNext(out _));
            Assert.Equal(0, CountTombstones(snapshot.TombstonesOfCollection("users"u8, 4)));
        }

        _database.Put("USERS/1", InCollection("Users"));
        using DocumentSnapshot after = _database.Database.BeginRead();
        Assert.Equal(0, after.TombstoneCount);
        Assert.Equal(0, CountTombstones(after.TombstonesOfCollection("users"u8, 0)));
        Assert.Equal(2, after.CountOfCollection("Users"u8));
    }

    [Fact]
    public void A_document_that_changes_its_collection_leaves_a_tombstone_in_the_old_one()
    {
        _database.Put("a", InCollection("Old"));
        Assert.Equal(3, _database.Put("a", InCollection("New")).Etag);
        Assert.Empty(OfCollection("Old"));
        Assert.Equal(["a"], OfCollection("New"));
        using (DocumentSnapshot snapshot = _database.Database.BeginRead())
        {
            TombstoneCursor cursor = snapshot.TombstonesOfCollection("old"u8, 0);
            Assert.True(cursor.MoveNext(out StoredTombstone tombstone));
            Assert.Equal((RowKind.LeftCollection, "a", 2L, 1L),
                (tombstone.Kind, TestDatabase.Text(tombstone.Id), tombstone.Etag, tombstone.DeletedEtag));
        }

        _database.Put("a", InCollection("Old"));
        _database.Put("a", InCollection("New"));
        using DocumentSnapshot after = _database.Database.BeginRead();
        Assert.Equal(1, CountTombstones(after.TombstonesOfCollection("old"u8, 0)));
        Assert.Equal(1, CountTombstones(after.TombstonesOfCollection("new"u8, 0)));
        Assert.Equal(["a"], ByEtag(0));
    }

    [Fact]
    public void A_snapshot_does_not_see_changes_that_were_made_after_it_began()
    {
        PutAll("a", "b");
        using DocumentSnapshot before = _database.Database.BeginRead();
        _database.Delete("a");
        _database.Put("b", """{"N":2}""");
        _database.Put("c", "{}");
        Assert.True(before.TryGet("a"u8, out StoredDocument a));
        Assert.Equal("{}", TestDatabase.Json(a));
        Assert.True(before.TryGet("b"u8, out StoredDocument b));
        Assert.Equal(2, b.Etag);
        Assert.False(before.TryGet("c"u8, out _));
        Assert.Equal(2, before.DocumentCount);
        Assert.Equal(2, before.LastEtag);
        Assert.Equal(0, before.TombstoneCount);
    }

    [Fact]
    public void Reading_a_document_allocates_nothing()
    {
        for (int i = 0; i < 500; i++)
        {
            _database.Put($"users/{i}", InCollection($"C{i % 5}"));
        }

        long sum = 0;
        Assert.Equal(0, Allocated.Least(() =>
        {
            using DocumentSnapshot snapshot = _database.Database.BeginRead();
            snapshot.TryGet("USERS/123"u8, out StoredDocument document);
            sum += document.Etag + document.Collection.Length + document.ChangeVector.Length + document.Data.Count;
            DocumentCursor cursor = snapshot.DocumentsOfCollection("c1"u8, 200);
            while (cursor.MoveNext(out StoredDocument other))
            {
                sum += other.Id.Length;
            }
        }));
        Assert.True(sum > 0);
    }


    private void PutAll(params string[] ids)
    {
        foreach (string id in ids)
        {
            _database.Put(id, "{}");
        }
    }

    private static string InCollection(string name) => $$$"""{"@metadata":{"@collection":"{{{name}}}"}}""";

    private static int CountTombstones(TombstoneCursor cursor)
    {
        int count = 0;
        while (cursor.MoveNext(out _))
        {
            count++;
        }

        return count;
    }

    private PrefixQuery Query(string prefix, string startAfter, string matches, string exclude)
    {
        Assert.True(PrefixQuery.TryCreate(
            _arena,
            Encoding.UTF8.GetBytes(prefix),
            Encoding.UTF8.GetBytes(startAfter),
            Encoding.UTF8.GetBytes(matches),
            Encoding.UTF8.GetBytes(exclude),
            out PrefixQuery query,
            out DocumentIdError error), error.Describe());
        return query;
    }

    private List<string> ByPrefix(string prefix, string startAfter = "", string matches = "", string exclude = "")
    {
        PrefixQuery query = Query(prefix, startAfter, matches, exclude);
        using DocumentSnapshot snapshot = _database.Database.BeginRead();
        PrefixCursor cursor = snapshot.DocumentsByPrefix(in query);
        List<string> ids = [];
        while (cursor.MoveNext(out StoredDocument document))
        {
            ids.Add(TestDatabase.Text(document.Id));
        }

        return ids;
    }

    private List<string> ByEtag(long from)
    {
        using DocumentSnapshot snapshot = _database.Database.BeginRead();
        return Ids(snapshot.DocumentsByEtag(from));
    }

    private List<string> ByEtagDescending(long from)
    {
        using DocumentSnapshot snapshot = _database.Database.BeginRead();
        return Ids(snapshot.DocumentsByEtagDescending(from));
    }

    private List<string> OfCollection(string name, long from = 0)
    {
        using DocumentSnapshot snapshot = _database.Database.BeginRead();
        return Ids(snapshot.DocumentsOfCollection(Encoding.UTF8.GetBytes(name), from));
    }

    private static List<string> Ids(DocumentCursor cursor)
    {
        List<string> ids = [];
        while (cursor.MoveNext(out StoredDocument document))
        {
            ids.Add(TestDatabase.Text(document.Id));
        }

        return ids;
    }
}
