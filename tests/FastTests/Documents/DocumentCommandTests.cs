using System.Text;
using Raven.Documents.Changes;
using Raven.Documents.Commands;
using Raven.Documents.Ids;
using Raven.Documents.Rows;
using Raven.Documents;
using Raven.Storage.GroupCommit;
using Raven.Storage.Transactions;

namespace FastTests.Documents;

/// <summary>What a put and a deletion do, what they refuse, and that a batch is one change.</summary>
public sealed class DocumentCommandTests : IDisposable
{
    private readonly TestDatabase _database = new();

    public void Dispose() => _database.Dispose();

    [Fact]
    public void A_document_that_was_put_is_read_back_under_its_id_in_any_case()
    {
        DocumentOperation result = _database.Put("Users/1", """{"Name":"Ada","@metadata":{"@collection":"Users"}}""");
        Assert.Equal("Users/1", TestDatabase.Text(result.Id));
        Assert.Equal("Users", TestDatabase.Text(result.Collection));
        Assert.Equal(1, result.Etag);
        Assert.Equal(TestDatabase.ChangeVectorOf(1), TestDatabase.Text(result.ChangeVector));
        Assert.Equal(_database.Clock.Now.UtcTicks, result.LastModifiedTicks);

        using DocumentSnapshot snapshot = _database.Database.BeginRead();
        Assert.True(snapshot.TryGet("uSERS/1"u8, out StoredDocument stored));
        Assert.Equal("""{"Name":"Ada","@metadata":{"@collection":"Users"}}""", TestDatabase.Json(stored));
        Assert.Equal("Users/1", TestDatabase.Text(stored.Id));
        Assert.Equal("Users", Encoding.UTF8.GetString(stored.Collection));
        Assert.Equal(TestDatabase.ChangeVectorOf(1), TestDatabase.Text(stored.ChangeVector));
        Assert.Equal(_database.Clock.Now.UtcTicks, stored.LastModifiedTicks);
        Assert.Equal(DocumentFlags.None, stored.Flags);
        Assert.False(snapshot.TryGet("users/2"u8, out _));
        Assert.False(snapshot.TryGet(""u8, out _));
        Assert.False(snapshot.TryGet("a\u0001"u8, out _));
    }

    [Fact]
    [Trait("Invariant", "ID-4")]
    public void A_second_put_replaces_the_first_under_a_new_etag_and_the_new_spelling()
    {
        _database.Put("users/1", """{"A":1}""");
        _database.Clock.Now += TimeSpan.FromSeconds(5);
        _database.Put("USERS/1", """{"B":2}""");

        using DocumentSnapshot snapshot = _database.Database.BeginRead();
        Assert.True(snapshot.TryGet("users/1"u8, out StoredDocument stored));
        Assert.Equal("""{"B":2}""", TestDatabase.Json(stored));
        Assert.Equal("USERS/1", TestDatabase.Text(stored.Id));
        Assert.Equal(2, stored.Etag);
        Assert.Equal(_database.Clock.Now.UtcTicks, stored.LastModifiedTicks);
        Assert.Equal(1, snapshot.DocumentCount);
        DocumentCursor cursor = snapshot.DocumentsByEtag(0);
        Assert.True(cursor.MoveNext(out StoredDocument first));
        Assert.Equal(2, first.Etag);
        Assert.False(cursor.MoveNext(out _));
    }

    [Fact]
    public void Metadata_that_the_server_makes_itself_is_not_stored_with_the_document()
    {
        _database.Put("a", """
            {"@metadata":{"@id":"zzz","@collection":"Users","@change-vector":"A:1-x","@last-modified":"2020",
            "@flags":"HasRevisions","@attachments":[1],"@counters":["c"],"@timeseries":["t"],"@index-score":1.5,
            "@projection":true,"Mine":{"@id":"kept"},"@expires":"2030-01-01"},"@id":1,"Deep":{"@metadata":{"@id":1}}}
            """);
        Assert.Equal(
            """{"@metadata":{"@collection":"Users","Mine":{"@id":"kept"},"@expires":"2030-01-01"},"@id":1,"""
            + "\"Deep\":{\"@metadata\":{\"@id\":1}}}",
            _database.Read("a"));
    }

    [Fact]
    public void An_object_inside_a_larger_document_is_stored_alone()
    {
        _database.StartBatch();
        Raven.Blittable.Reading.BlittableObject body = _database.Parse(
            """{"Commands":[{"Document":{"Name":"Ada","@metadata":{"@collection":"Users"},"N":[1,2.50,null]}}]}""");
        Raven.Blittable.Reading.BlittableObject document =
            body["Commands"u8].AsArray()[0].AsObject()["Document"u8].AsObject();
        Assert.True(_database.Batch.TryAddPut("a"u8, document, ExpectedVersion.Any));
        Assert.True(_database.Submit());
        Assert.Equal("""{"Name":"Ada","@metadata":{"@collection":"Users"},"N":[1,2.50,null]}""", _database.Read("a"));
    }

    [Theory]
    [InlineData("""{"@metadata":1}""")]
    [InlineData("""{"@metadata":null}""")]
    [InlineData("""{"@metadata":[]}""")]
    [InlineData("""{"@metadata":{"@collection":7}}""")]
    [InlineData("""{"@metadata":{"@collection":"a\u001e"}}""")]
    public void A_put_with_invalid_metadata_is_refused_and_writes_nothing(string json)
    {
        _database.StartBatch();
        Assert.False(_database.AddPut("users/1", json));
        Assert.Equal(CommandFailureKind.BadMetadata, _database.Batch.Failure.Kind);
        Assert.Contains("users/1", _database.Batch.Failure.Describe());
        Assert.Null(_database.Read("users/1"));
    }

    [Theory]
    [InlineData("""{}""")]
    [InlineData("""{"@metadata":{}}""")]
    [InlineData("""{"@metadata":{"@collection":null}}""")]
    [InlineData("""{"@metadata":{"@collection":""}}""")]
    public void A_document_without_a_collection_is_in_the_collection_at_empty(string json)
    {
        Assert.Equal("@empty", TestDatabase.Text(_database.Put("a", json).Collection));
        using DocumentSnapshot snapshot = _database.Database.BeginRead();
        Assert.Equal(1, snapshot.CountOfCollection("@empty"u8));
    }

    [Fact]
    public void Invalid_ids_and_too_large_documents_are_refused_before_the_batch_is_submitted()
    {
        _database.StartBatch();
        Assert.False(_database.AddPut("a\u0000b", "{}"));
        Assert.Equal(DocumentIdProblem.ControlCharacter, _database.Batch.Failure.IdError.Problem);
        Assert.False(_database.AddDelete(""));
        Assert.Equal(DocumentIdProblem.Empty, _database.Batch.Failure.IdError.Problem);
        Assert.False(_database.AddPut(new string('a', 490) + "/", "{}"));
        Assert.Equal(DocumentIdProblem.TooLong, _database.Batch.Failure.IdError.Problem);

        _database.StartBatch();
        _database.Batch.DocumentSizeBytesMax = 100;
        Assert.True(_database.AddPut("a", "{}"));
        Assert.False(_database.AddPut("b", $$"""{"X":"{{Noise(200)}}"}"""));
        Assert.Equal(CommandFailureKind.DocumentTooLarge, _database.Batch.Failure.Kind);
        Assert.Equal(1, _database.Batch.Failure.OperationIndex);
    }

    [Fact]
    public void A_change_with_another_expected_version_is_refused_with_both_versions()
    {
        string first = TestDatabase.Text(_database.Put("a", """{"N":1}""", expected: "").ChangeVector);
        string second = TestDatabase.Text(_database.Put("a", """{"N":2}""", first).ChangeVector);

        AssertConflict(() => _database.AddPut("A", """{"N":3}""", first), first, second);
        AssertConflict(() => _database.AddPut("A", """{"N":3}""", ""), "", second);
        AssertConflict(() => _database.AddPut("b", """{"N":3}""", first), first, "");
        AssertConflict(() => _database.AddDelete("a", first), first, second);
        AssertConflict(() => _database.AddDelete("b", first), first, "");
        AssertConflict(() => _database.AddDelete("a", ""), "", second);
        AssertConflict(() => _database.AddPut("a", """{"N":3}""", "nonsense"), "nonsense", second);
        Assert.Equal("""{"N":2}""", _database.Read("a"));

        Assert.True(_database.Delete("a", second).IsChanged);
        Assert.False(_database.Delete("a", "").IsChanged);
        Assert.Null(_database.Read("a"));
    }

    [Fact]
    [Trait("Invariant", "BAT-1")]
    [Trait("Invariant", "CMD-1")]
    public void A_batch_with_one_refused_operation_changes_nothing()
    {
        _database.Put("there", """{"N":1}""");
        _database.StartBatch();
        Assert.True(_database.AddPut("new", """{"N":2}"""));
        Assert.True(_database.AddDelete("there"));
        Assert.True(_database.AddPut("there", """{"N":3}""", "A:77-AAAAAAAAAAAAAAAAAAAAAA"));
        Assert.False(_database.Submit());
        Assert.Equal(2, _database.Batch.Failure.OperationIndex);
        Assert.Null(_database.Read("new"));
        Assert.Equal("""{"N":1}""", _database.Read("there"));
        using (DocumentSnapshot snapshot = _database.Database.BeginRead())
        {
            Assert.Equal(1, snapshot.LastEtag);
            Assert.Equal(0, snapshot.TombstoneCount);
        }

        Assert.Equal(2, _database.Put("next", "{}").Etag);
    }

    [Fact]
    [Trait("Invariant", "BAT-2")]
    [Trait("Invariant", "BAT-3")]
    public void An_operation_of_a_batch_sees_the_results_of_the_operations_before_it()
    {
        string version = TestDatabase.Text(_database.Put("a", """{"N":1}""").ChangeVector);
        _database.StartBatch();
        Assert.True(_database.AddDelete("A", version));
        Assert.True(_database.AddPut("a", """{"N":2}""", ""));
        Assert.True(_database.AddPut("a", """{"N":3}"""));
        Assert.True(_database.Submit(), _database.Batch.Failure.Describe());
        Assert.Equal("""{"N":3}""", _database.Read("a"));
        Assert.Equal([2L, 3L, 4L], Enumerable.Range(0, 3).Select(i => _database.Batch[i].Etag));

        AssertWithinBatch("""{"N":4}""", expectedOfSecond: "");
        AssertWithinBatch("""{"N":4}""", expectedOfSecond: TestDatabase.ChangeVectorOf(4));
        Assert.Equal("""{"N":3}""", _database.Read("a"));
    }

    [Fact]
    [Trait("Invariant", "BAT-4")]
    public void Ids_that_the_server_completes_are_never_those_of_other_documents()
    {
        Assert.Equal("users/0000000000000000001-A", TestDatabase.Text(_database.Put("users/", "{}").Id));
        Assert.Equal("users/1", TestDatabase.Text(_database.Put("users|", "{}").Id));
        Assert.Equal("Users/2", TestDatabase.Text(_database.Put("Users|", "{}").Id));
        Assert.True(Guid.TryParse(TestDatabase.Text(_database.Put("", "{}").Id), out _));

        _database.Put("USERS/3", "{}");
        _database.Put("orders/0000000000000000007-a", "{}");
        Assert.Equal("users/4", TestDatabase.Text(_database.Put("users|", "{}").Id));
        Assert.Equal("orders/0000000000000000008-A", TestDatabase.Text(_database.Put("orders/", "{}").Id));

        _database.StartBatch();
        Assert.True(_database.AddPut("users|", """{"N":1}"""));
        Assert.True(_database.AddPut("users|", """{"N":2}"""));
        Assert.True(_database.AddPut("users/5", """{"N":3}""", ""));
        Assert.True(_database.AddPut("", """{"N":4}"""));
        Assert.True(_database.AddPut("x/", """{"N":5}"""));
        Assert.True(_database.Submit(), _database.Batch.Failure.Describe());
        Assert.Equal("users/6", TestDatabase.Text(_database.Batch[0].Id));
        Assert.Equal("users/7", TestDatabase.Text(_database.Batch[1].Id));
        for (int i = 0; i < 5; i++)
        {
            Assert.Equal($$"""{"N":{{i + 1}}}""", _database.Read(TestDatabase.Text(_database.Batch[i].Id)));
        }
    }

    [Fact]
    public void A_put_of_an_unchanged_document_makes_no_version_if_unchanged_puts_are_skipped()
    {
        _database.Put("a", """{"N":1}""");
        _database.StartBatch();
        Assert.True(_database.AddPut("a", """{"N":1}""", skipIfUnchanged: true));
        Assert.True(_database.AddPut("b", """{"N":1}""", skipIfUnchanged: true));
        Assert.True(_database.Submit());
        Assert.False(_database.Batch[0].IsChanged);
        Assert.Equal(TestDatabase.ChangeVectorOf(1), TestDatabase.Text(_database.Batch[0].ChangeVector));
        Assert.True(_database.Batch[1].IsChanged);
        Assert.Equal(2, _database.Batch[1].Etag);
    }

    [Fact]
    public void A_document_that_grows_and_shrinks_is_read_back_whole_at_every_size()
    {
        int[] sizes = [0, 100, 3000, 4000, 8100, 8200, 20_000, 300_000, 5000, 10, 70_000, 0];
        foreach (int size in sizes)
        {
            string json = $$"""{"X":"{{Noise(size)}}"}""";
            _database.Put("a", json);
            Assert.Equal(json, _database.Read("a"));
        }
    }

    [Fact]
    [Trait("Invariant", "CMD-2")]
    public void A_batch_whose_transaction_was_dropped_is_executed_again_from_the_start()
    {
        _database.Put("a", """{"N":1}""");
        Assert.True(_database.Database.TryClose());
        using (StorageEnvironment environment = _database.OpenEnvironment())
        {
            _database.StartBatch();
            Assert.True(_database.AddPut("users|", "{}"));
            Assert.True(_database.AddPut("a", """{"N":2}""", TestDatabase.ChangeVectorOf(1)));
            _database.Batch.BindTo(new DocumentWriter(
                new DatabaseId(TestDatabase.Id), new DocumentChanges(), _database.Clock, new Random(1), lastEtag: 1));
            const int runs = 3;
            for (int run = 1; run <= runs; run++)
            {
                using WriteTransaction transaction = environment.BeginWrite();
                ((IWriteCommand)_database.Batch).Execute(transaction);
                Assert.True(_database.Batch.Failure.IsNone, _database.Batch.Failure.Describe());
                Assert.Equal("users/1", TestDatabase.Text(_database.Batch[0].Id));
                Assert.Equal([2L, 3L], Enumerable.Range(0, 2).Select(i => _database.Batch[i].Etag));
                if (run == runs)
                {
                    transaction.Commit();
                }
            }
        }

        Assert.Equal("""{"N":2}""", _database.Read("a"));
        using DocumentSnapshot snapshot = _database.Database.BeginRead();
        Assert.Equal((2, 3), (snapshot.DocumentCount, snapshot.LastEtag));
    }

    private void AssertWithinBatch(string json, string expectedOfSecond)
    {
        _database.StartBatch();
        Assert.True(_database.AddPut("a", json));
        Assert.True(_database.AddPut("A", json, expectedOfSecond));
        Assert.False(_database.Submit());
        Assert.True(_database.Batch.Failure.IsWithinBatch);
        Assert.Equal(1, _database.Batch.Failure.OperationIndex);
        Assert.Contains("same batch", _database.Batch.Failure.Describe());
    }

    private void AssertConflict(Func<bool> add, string expected, string actual)
    {
        _database.StartBatch();
        Assert.True(add());
        Assert.False(_database.Submit());
        CommandFailure failure = _database.Batch.Failure;
        Assert.Equal(CommandFailureKind.Conflict, failure.Kind);
        Assert.Equal(expected, TestDatabase.Text(failure.ExpectedChangeVector));
        Assert.Equal(actual, TestDatabase.Text(failure.ActualChangeVector));
        Assert.Contains(actual, failure.Describe());
    }

    private static string Noise(int length)
    {
        Random random = new(length);
        return new([.. Enumerable.Range(0, length).Select(_ => (char)random.Next('a', 'z' + 1))]);
    }
}
