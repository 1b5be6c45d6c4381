using System.Text;
using Raven.Blittable.Memory;
using Raven.Documents;
using Raven.Documents.Commands;
using Raven.Storage.Transactions;

namespace FastTests.Documents;

/// <summary>Ranges of numbers for clients, and identities.</summary>
public sealed class HiLoAndIdentityTests : IDisposable
{
    private readonly TestDatabase _database = new();

    public void Dispose() => _database.Dispose();

    [Fact]
    public void HiLo_ranges_follow_each_other_and_grow_for_a_busy_client()
    {
        HiLoNextCommand first = Next("users");
        Assert.Equal(new HiLoRange(1, 32), first.Range);
        Assert.Equal(_database.Clock.Now.UtcDateTime, first.RangeAt);
        Assert.Equal(new HiLoRange(1, 32), Next("orders").Range);

        _database.Clock.Now += TimeSpan.FromSeconds(2);
        Assert.Equal(new HiLoRange(33, 96), Next("USERS", 32, first.RangeAt, 32).Range);
        Assert.Equal(new HiLoRange(1001, 1032), Next("users", clientMax: 1000).Range);
        Assert.Equal("""{"Max":1032,"@metadata":{"@collection":"@hilo"}}""", _database.Read("Raven/Hilo/users"));
        using DocumentSnapshot snapshot = _database.Database.BeginRead();
        Assert.Equal(2, snapshot.CountOfCollection("@hilo"u8));
    }

    [Fact]
    public void HiLo_numbers_that_a_client_returns_are_given_out_again_if_no_later_range_exists()
    {
        Next("users");
        Assert.True(Return("users", last: 5, end: 32).Failure.IsNone);
        Assert.Equal(new HiLoRange(6, 37), Next("users").Range);
        Next("users");
        Return("users", last: 10, end: 37);
        Assert.Equal(70, Next("users").Range.Low);
        Return("nobody", last: 1, end: 32);
        Assert.Null(_database.Read("Raven/Hilo/nobody"));
    }

    [Fact]
    public void HiLo_numbers_out_of_range_and_invalid_tags_are_refused()
    {
        Assert.Equal(CommandFailureKind.OutOfRange, Next("users", clientMax: long.MaxValue).Failure.Kind);
        Assert.Equal(CommandFailureKind.OutOfRange, Return("users", last: 9, end: 8).Failure.Kind);
        Assert.Equal(CommandFailureKind.OutOfRange, Return("users", last: -1, end: 8).Failure.Kind);
        HiLoNextCommand command = new();
        Assert.False(command.TryReset(_database.FreshContext(), ""u8, 0, null, 0));
        Assert.Equal(CommandFailureKind.BadId, command.Failure.Kind);
        Assert.False(command.TryReset(_database.FreshContext(), "a\u001e"u8, 0, null, 0));
        Assert.Equal(CommandFailureKind.BadId, command.Failure.Kind);
        Assert.Null(_database.Read("Raven/Hilo/users"));
    }

    [Fact]
    public void A_damaged_HiLo_document_is_replaced_by_a_range_behind_the_number_that_the_client_names()
    {
        _database.Put("Raven/Hilo/users", """{"Max":"many"}""");
        Assert.Equal(new HiLoRange(78, 109), Next("users", clientMax: 77).Range);
    }

    [Fact]
    public void An_identity_counts_up_over_restarts_under_its_name_in_any_case()
    {
        Assert.Equal(1, NextIdentity("users|"));
        Assert.Equal(2, NextIdentity("USERS|"));
        Assert.Equal(3, NextIdentity("users"));
        Assert.Equal(1, NextIdentity("orders|"));
        _database.Restart();
        Assert.Equal(4, NextIdentity("users|"));

        using DocumentSnapshot snapshot = _database.Database.BeginRead();
        Assert.Equal(2, snapshot.IdentityCount);
        IdentityCursor cursor = snapshot.Identities();
        List<string> found = [];
        while (cursor.MoveNext(out NativeSlice name, out long value))
        {
            found.Add($"{TestDatabase.Text(name)}={value}");
        }

        Assert.Equal(["orders|=1", "users|=4"], found);
    }

    [Fact]
    public void A_seed_moves_an_identity_forward_and_only_with_force_backward()
    {
        Assert.Equal(100, Seed("users|", 100));
        Assert.Equal(101, NextIdentity("users|"));
        Assert.Equal(101, Seed("users|", 50));
        Assert.Equal(50, Seed("users|", 50, force: true));
        Assert.Equal(51, NextIdentity("users|"));
        Assert.False(new IdentitySeedCommand().TryReset(_database.FreshContext(), "users|"u8, -1, false));
        Assert.False(new IdentitySeedCommand().TryReset(_database.FreshContext(), "users|"u8, long.MaxValue, false));
        Assert.False(new IdentityNextCommand().TryReset(_database.FreshContext(), ""u8));
    }

    [Fact]
    public void An_identity_skips_ids_that_documents_have()
    {
        _database.Put("users/1", "{}");
        _database.Put("users/2", "{}");
        Assert.Equal(3, NextIdentity("users|"));
    }

    [Fact]
    [Trait("Invariant", "REQ-1")]
    public void A_request_that_is_sent_again_gets_the_same_number_for_ten_minutes()
    {
        Assert.Equal(1, NextIdentity("users|", "r1"));
        Assert.Equal(1, NextIdentity("Users|", "r1"));
        Assert.Equal(2, NextIdentity("users|", "r2"));
        Assert.Equal(1, NextIdentity("orders|", "r1"));
        Assert.Equal(3, NextIdentity("users|"));
        _database.Clock.Now += TimeSpan.FromMinutes(10);
        Assert.Equal(2, NextIdentity("users|", "r2"));
        _database.Clock.Now += TimeSpan.FromTicks(1);
        Assert.Equal(4, NextIdentity("users|", "r2"));
        Assert.Equal(4, NextIdentity("users|", "r2"));

        // What is old is forgotten, a few for each that comes, and what was remembered anew stays.
        _database.Clock.Now += TimeSpan.FromMinutes(5);
        for (int i = 0; i < 10; i++)
        {
            Assert.Equal(5 + i, NextIdentity("users|", $"n{i}"));
        }

        Assert.Equal(4, NextIdentity("users|", "r2"));
        Assert.Equal(2 * 11, RememberedEntries());
    }

    private long RememberedEntries()
    {
        _database.Database.Dispose();
        using StorageEnvironment environment = _database.OpenEnvironment();
        using ReadTransaction transaction = environment.BeginRead();
        return transaction.TryOpenTree("Requests"u8)!.Count;
    }

    private HiLoNextCommand Next(string tag, long lastSize = 0, DateTime? lastAt = null, long clientMax = 0)
    {
        HiLoNextCommand command = new();
        Assert.True(command.TryReset(
            _database.FreshContext(), Encoding.UTF8.GetBytes(tag), lastSize, lastAt, clientMax));
        _database.Run(command);
        return command;
    }

    private HiLoReturnCommand Return(string tag, long last, long end)
    {
        HiLoReturnCommand command = new();
        Assert.True(command.TryReset(_database.FreshContext(), Encoding.UTF8.GetBytes(tag), last, end));
        _database.Run(command);
        return command;
    }

    private long NextIdentity(string name, string requestId = "")
    {
        IdentityNextCommand command = new();
        Assert.True(command.TryReset(
            _database.FreshContext(), Encoding.UTF8.GetBytes(name), Encoding.UTF8.GetBytes(requestId)));
        _database.Run(command);
        return command.Value;
    }

    private long Seed(string name, long value, bool force = false)
    {
        IdentitySeedCommand command = new();
        Assert.True(command.TryReset(_database.FreshContext(), Encoding.UTF8.GetBytes(name), value, force));
        _database.Run(command);
        return command.Value;
    }
}
