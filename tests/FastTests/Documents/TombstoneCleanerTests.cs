using Raven.Documents;
using Raven.Documents.Rows;

namespace FastTests.Documents;

/// <summary>Deletions are forgotten when they are old enough and seen by all, and readers that missed one learn of it.
/// </summary>
public sealed class TombstoneCleanerTests : IDisposable
{
    private readonly TestDatabase _database = new();

    public void Dispose() => _database.Dispose();

    [Fact]
    public async Task Old_deletions_of_each_kind_are_forgotten_and_young_ones_are_not()
    {
        Put("a", "Users");
        Put("b", "Users");
        Put("moved", "Users");
        _database.Delete("a");
        Put("moved", "Orders");
        _database.Clock.Now += TimeSpan.FromHours(49);
        _database.Delete("b");
        Assert.Equal(3, Count());
        Assert.Equal(2, await CleanAsync());
        Assert.Equal(1, Count());
        Assert.Equal(0, await CleanAsync());
        Assert.Equal(2, _database.Database.Tombstones.Removed);
        using DocumentSnapshot snapshot = _database.Database.BeginRead();
        TombstoneCursor left = snapshot.TombstonesOfCollection("users"u8, 0);
        Assert.True(left.MoveNext(out StoredTombstone tombstone));
        Assert.Equal("b", TestDatabase.Text(tombstone.Id));
        Assert.False(left.MoveNext(out _));
    }

    [Fact]
    [Trait("Invariant", "TOMB-1")]
    public async Task The_floors_of_a_collection_and_of_all_say_what_is_forgotten_after_a_restart_too()
    {
        Put("a", "Users");
        Put("o", "Orders");
        long users = _database.Delete("a").Etag;
        _database.Clock.Now += TimeSpan.FromHours(49);
        await CleanAsync();
        long orders = _database.Delete("o").Etag;
        _database.Restart();
        using DocumentSnapshot snapshot = _database.Database.BeginRead();
        Assert.Equal(users, TombstoneFloor.Of(snapshot.Transaction, "uSERS"u8));
        Assert.Equal(users, TombstoneFloor.Of(snapshot.Transaction, ""u8));
        Assert.Equal(0, TombstoneFloor.Of(snapshot.Transaction, "orders"u8));
        Assert.Equal(0, TombstoneFloor.Of(snapshot.Transaction, "none"u8));

        // An index that has not seen it is stale.
        Assert.Equal(users, snapshot.LastEtagOfCollection("Users"u8));
        Assert.NotNull(TombstoneFloor.FindLoss(snapshot.Transaction, ["Orders", "Users"], users - 1));
        Assert.NotNull(TombstoneFloor.FindLoss(snapshot.Transaction, [], users - 1));
        Assert.Null(TombstoneFloor.FindLoss(snapshot.Transaction, ["Users"], users));
        Assert.Null(TombstoneFloor.FindLoss(snapshot.Transaction, ["Orders"], 1));
        Assert.Null(TombstoneFloor.FindLoss(snapshot.Transaction, ["Users"], 0));
        Assert.True(orders > users);
    }

    /// <summary>More than one transaction has.</summary>
    [Fact]
    public async Task Many_deletions_are_forgotten_in_turns_and_their_ids_can_be_used_again()
    {
        for (int batch = 0; batch < 2; batch++)
        {
            _database.StartBatch();
            for (int i = 0; i < 1100; i++)
            {
                Assert.True(batch == 0 ? _database.AddPut($"d/{i}", "{}") : _database.AddDelete($"d/{i}"));
            }

            Assert.True(_database.Submit());
        }

        _database.Clock.Now += TimeSpan.FromHours(49);
        Assert.Equal(1100, await CleanAsync());
        Put("d/5", "Users");
        _database.Delete("d/5");
        Assert.Equal(1, Count());
        using DocumentSnapshot snapshot = _database.Database.BeginRead();
        Assert.Empty(snapshot.Transaction.Check().Findings);
    }

    [Fact]
    public async Task A_deletion_from_the_future_goes_when_it_is_seen()
    {
        Put("a", "Users");
        _database.Clock.Now += TimeSpan.FromDays(400);
        _database.Delete("a");
        _database.Clock.Set(TimeSpan.FromDays(-400));
        Assert.Equal(1, await CleanAsync());
    }

    [Fact]
    public async Task The_regular_work_waits_for_its_interval()
    {
        Put("a", "Users");
        _database.Delete("a");
        _database.Clock.Now += TimeSpan.FromHours(49);
        await _database.Database.Tombstones.RingAsync();
        Assert.Equal(0, Count());
        Put("a", "Users");
        _database.Delete("a");
        _database.Clock.Set(TimeSpan.FromHours(49));
        await _database.Database.Tombstones.RingAsync();
        Assert.Equal(1, Count());
    }

    private void Put(string id, string collection) =>
        _database.Put(id, $$$"""{"@metadata":{"@collection":"{{{collection}}}"}}""");

    private Task<long> CleanAsync() => _database.Database.Tombstones.CleanAsync(CancellationToken.None);

    private long Count()
    {
        using DocumentSnapshot snapshot = _database.Database.BeginRead();
        return snapshot.TombstoneCount;
    }
}
