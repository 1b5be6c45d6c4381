using Raven.Blittable.Reading;
using Raven.Documents.Changes;
using Raven.Documents.Commands;
using Raven.Documents.Rows;
using Raven.Storage.GroupCommit;
using Raven.Storage.Transactions;

namespace FastTests.Documents;

/// <summary>The ways of a write that every request goes allocate no managed memory once warm.</summary>
public sealed class DocumentAllocationTests : IDisposable
{
    private const int WarmUpRounds = 30;
    private const int Rounds = 60;

    private readonly TestDatabase _database = new();

    public void Dispose() => _database.Dispose();

    [Fact]
    public void Setting_up_a_batch_and_reading_its_results_allocate_nothing()
    {
        long allocated = 0;
        int added = 0;
        for (int round = 0; round < Rounds; round++)
        {
            _database.StartBatch();
            BlittableObject document = _database.Parse("""{"@metadata":{"@id":"x","@collection":"Users"}}""");
            long before = GC.GetAllocatedBytesForCurrentThread();
            added += AddAll(document) ? _database.Batch.Count : 0;
            allocated += round < WarmUpRounds ? 0 : GC.GetAllocatedBytesForCurrentThread() - before;
        }

        Assert.Equal(0, allocated);
        Assert.Equal(3 * Rounds, added);
    }

    [Fact]
    public void Executing_a_batch_and_refusing_one_allocate_nothing()
    {
        _database.Put("users/2", "{}");
        _database.Database.TryClose();
        using StorageEnvironment environment = _database.OpenEnvironment();
        DocumentWriter writer = new(
            new DatabaseId(TestDatabase.Id), new DocumentChanges(), _database.Clock, new Random(1), lastEtag: 0);
        _database.Batch.BindTo(writer);
        IWriteCommand command = _database.Batch;
        int allocatingRounds = 0;
        int refused = 0;
        for (int round = 0; round < Rounds; round++)
        {
            _database.StartBatch();
            BlittableObject document = _database.Parse("""{"@metadata":{"@collection":"Users"}}""");
            Assert.True(AddAll(document));
            if (round % 2 == 0)
            {
                _database.AddDelete("users/2", "A:1-x");
            }

            using WriteTransaction transaction = environment.BeginWrite();
            long before = GC.GetAllocatedBytesForCurrentThread();
            command.Execute(transaction);
            bool hasAllocated = GC.GetAllocatedBytesForCurrentThread() != before;
            allocatingRounds += round >= WarmUpRounds && hasAllocated ? 1 : 0;
            refused += _database.Batch.Failure.IsNone ? 0 : 1;
            transaction.Commit();
        }

        // The transaction's own tables of pages grow with the database, by doubling: once here.
        Assert.InRange(allocatingRounds, 0, 1);
        Assert.Equal(Rounds / 2, refused);
    }

    private bool AddAll(BlittableObject document) =>
        _database.Batch.TryAddPut("users/1"u8, document, ExpectedVersion.Any)
        && _database.Batch.TryAddPut("users/"u8, document, ExpectedVersion.Any)
        && _database.Batch.TryAddPut("users|"u8, document, ExpectedVersion.Any);
}
