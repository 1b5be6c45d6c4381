using FastTests.Documents;
using FastTests.Support;
using Raven.Documents.Subscriptions;

namespace FastTests.Subscriptions;

/// <summary>Several workers of one subscription: who may have it, and who gets which document.</summary>
public sealed class SubscriptionStrategyTests : IDisposable
{
    private readonly SubscriptionDatabase _database = new(new TestDatabase());

    public void Dispose() => _database.Dispose();

    [Theory]
    [InlineData(SubscriptionStrategy.OpenIfFree, SubscriptionStrategy.OpenIfFree)]
    [InlineData(SubscriptionStrategy.TakeOver, SubscriptionStrategy.TakeOver)]
    [InlineData(SubscriptionStrategy.TakeOver, SubscriptionStrategy.Concurrent)]
    [InlineData(SubscriptionStrategy.OpenIfFree, SubscriptionStrategy.Concurrent)]
    [InlineData(SubscriptionStrategy.Concurrent, SubscriptionStrategy.OpenIfFree)]
    [InlineData(SubscriptionStrategy.Concurrent, SubscriptionStrategy.TakeOver)]
    public void A_second_worker_is_refused(SubscriptionStrategy first, SubscriptionStrategy second)
    {
        _database.Create("from Users", "mail");
        SubscriptionWorker there = _database.Connect("mail", first);
        Assert.Equal(
            SubscriptionProblem.InUse,
            Assert.Throws<SubscriptionException>(() => _database.Connect("mail", second)).Problem);
        Assert.Null(there.End);
        SubscriptionDatabase.Close(there);
        SubscriptionDatabase.Close(_database.Connect("mail", second));
    }

    [Fact]
    public async Task One_that_takes_over_comes_in_when_the_other_is_gone()
    {
        _database.Create("from Users", "mail");
        SubscriptionWorker there = _database.Connect("mail");
        Task<SubscriptionWorker> next = _database.Subscriptions.ConnectAsync(
            "mail", new SubscriptionWorkerOptions { Strategy = SubscriptionStrategy.TakeOver }, default).AsTask();
        Assert.Equal(SubscriptionProblem.InUse, there.End!.Problem);
        Assert.False(next.IsCompleted);
        await there.DisposeAsync();
        await (await next.WaitAsync(Deadline.Hang)).DisposeAsync();
    }

    [Fact]
    public async Task One_that_waits_comes_in_when_the_other_is_gone()
    {
        _database.Create("from Users", "mail");
        SubscriptionWorker there = _database.Connect("mail");
        using var cancelled = new CancellationTokenSource();
        SubscriptionWorkerOptions options = new() { Strategy = SubscriptionStrategy.WaitForFree };
        Task<SubscriptionWorker> gone = _database.Subscriptions.ConnectAsync("mail", options, cancelled.Token).AsTask();
        Task<SubscriptionWorker> next = _database.Subscriptions.ConnectAsync("mail", options, default).AsTask();
        Assert.Null(there.End);
        await cancelled.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => gone);
        await there.DisposeAsync();
        await (await next.WaitAsync(Deadline.Hang)).DisposeAsync();
    }

    [Fact]
    public async Task A_worker_that_waits_is_woken_by_a_change_of_its_collection()
    {
        _database.Create("from Users", "mail");
        await using SubscriptionWorker worker = await _database.Subscriptions.ConnectAsync(
            "mail", new SubscriptionWorkerOptions(), default);
        Task<SubscriptionBatch?> next = worker.NextAsync(default).AsTask();
        Put("orders/1", "Orders");
        Assert.False(next.IsCompleted);
        Put("users/1", "Users");
        Assert.Equal("users/1", (await next.WaitAsync(Deadline.Hang))!.IdOf(0));
    }

    [Fact]
    [Trait("Invariant", "SUB-2")]
    public void Workers_that_share_never_have_the_same_document()
    {
        for (int i = 0; i < 4; i++)
        {
            Put($"users/{i}", "Users");
        }

        _database.Create("from Users", "mail");
        SubscriptionWorker one = _database.Connect("mail", SubscriptionStrategy.Concurrent, count: 2);
        SubscriptionWorker other = _database.Connect("mail", SubscriptionStrategy.Concurrent, count: 3);
        Assert.Equal(["users/0", "users/1"], SubscriptionDatabase.NextIds(one));
        Put("users/0", "Users");
        Assert.Equal(["users/2", "users/3"], SubscriptionDatabase.NextIds(other));
        SubscriptionDatabase.Acknowledge(other);
        Assert.Empty(SubscriptionDatabase.NextIds(other));
        SubscriptionDatabase.Acknowledge(one);
        Assert.Equal(["users/0"], SubscriptionDatabase.NextIds(other));
        SubscriptionDatabase.Acknowledge(other);
        Assert.Empty(SubscriptionDatabase.NextIds(one));
        Assert.Equal(0, _database.Subscriptions.Get("mail").OwedCount);
    }

    [Fact]
    [Trait("Invariant", "SUB-2")]
    public void A_worker_that_leaves_without_a_batch_leaves_those_of_the_others_alone()
    {
        _database.Create("from Users", "mail");
        SubscriptionWorker idle = _database.Connect("mail", SubscriptionStrategy.Concurrent);
        SubscriptionWorker busy = _database.Connect("mail", SubscriptionStrategy.Concurrent);
        SubscriptionWorker next = _database.Connect("mail", SubscriptionStrategy.Concurrent);
        Assert.Empty(SubscriptionDatabase.NextIds(idle));
        Put("users/1", "Users");
        Assert.Equal(["users/1"], SubscriptionDatabase.NextIds(busy));
        SubscriptionDatabase.Close(idle);
        Assert.Empty(SubscriptionDatabase.NextIds(next));
        SubscriptionDatabase.Acknowledge(busy);
        Assert.Equal(0, _database.Subscriptions.Get("mail").OwedCount);
    }

    [Fact]
    [Trait("Invariant", "SUB-2")]
    public void A_document_that_is_sent_again_while_a_worker_has_it_stays_there_until_its_acknowledgement()
    {
        Put("users/1", "Users");
        _database.Create("from Users", "mail");
        SubscriptionWorker busy = _database.Connect("mail", SubscriptionStrategy.Concurrent);
        SubscriptionWorker next = _database.Connect("mail", SubscriptionStrategy.Concurrent);
        Assert.Equal(["users/1"], SubscriptionDatabase.NextIds(busy));
        SubscriptionDatabase.Wait(_database.Subscriptions.SendAgainAsync("mail", ["users/1"]));
        Assert.Empty(SubscriptionDatabase.NextIds(next));
        SubscriptionDatabase.Acknowledge(busy);
        Assert.Equal(["users/1"], SubscriptionDatabase.NextIds(next));
    }

    [Fact]
    [Trait("Invariant", "SUB-2")]
    public async Task A_document_that_is_given_back_twice_is_given_back_once()
    {
        Put("users/1", "Users");
        Put("users/2", "Users");
        _database.Create("from Users", "mail");
        SubscriptionLease lease = (await _database.Subscriptions.Leases.TakeAsync(
            "mail", new SubscriptionWorkerOptions(), TimeSpan.Zero, TimeSpan.FromMinutes(1), default))!;
        SubscriptionWorker busy = _database.Connect("mail", SubscriptionStrategy.Concurrent);
        SubscriptionWorker next = _database.Connect("mail", SubscriptionStrategy.Concurrent);
        await _database.Subscriptions.Leases.GiveBackAsync(lease.Id, ["users/1"], TimeSpan.Zero);
        Assert.Equal(["users/1"], SubscriptionDatabase.NextIds(busy));
        await _database.Subscriptions.Leases.GiveBackAsync(lease.Id, ["users/1"], TimeSpan.Zero);
        Assert.Empty(SubscriptionDatabase.NextIds(next));
        await _database.Subscriptions.Leases.AcknowledgeAsync(lease.Id);
        SubscriptionDatabase.Acknowledge(busy);
        Assert.Equal(0, _database.Subscriptions.Get("mail").OwedCount);
    }

    [Fact]
    [Trait("Invariant", "SUB-1")]
    public async Task After_a_change_of_the_position_workers_that_share_begin_there_when_the_old_ones_are_gone()
    {
        Put("users/1", "Users");
        _database.Create("from Users", "mail");
        SubscriptionWorker old = _database.Connect("mail", SubscriptionStrategy.Concurrent);
        SubscriptionLease lease = (await _database.Subscriptions.Leases.TakeAsync(
            "mail", new SubscriptionWorkerOptions(), TimeSpan.Zero, TimeSpan.FromMinutes(1), default))!;
        await _database.Subscriptions.UpdateAsync(
            new SubscriptionChange { Name = "mail", ChangeVector = SubscriptionChange.BeginningOfTime });
        SubscriptionWorkerOptions options = new()
        {
            Strategy = SubscriptionStrategy.Concurrent, EndsWhenEmpty = true,
        };
        Task<SubscriptionWorker> next = _database.Subscriptions.ConnectAsync("mail", options, default).AsTask();
        Assert.False(next.IsCompleted);
        await old.DisposeAsync();
        Assert.Equal(["users/1"], SubscriptionDatabase.NextIds(await next.WaitAsync(Deadline.Hang)));
        SubscriptionException lost = await Assert.ThrowsAsync<SubscriptionException>(
            () => _database.Subscriptions.Leases.AcknowledgeAsync(lease.Id).AsTask());
        Assert.Equal(SubscriptionProblem.BatchLost, lost.Problem);
    }

    [Fact]
    [Trait("Invariant", "SUB-4")]
    public void What_a_lost_worker_had_goes_to_another_one_also_after_a_restart()
    {
        Put("users/1", "Users");
        Put("users/2", "Users");
        _database.Create("from Users", "mail");
        SubscriptionWorker lost = _database.Connect("mail", SubscriptionStrategy.Concurrent, count: 1);
        SubscriptionWorker other = _database.Connect("mail", SubscriptionStrategy.Concurrent);
        Assert.Equal(["users/1"], SubscriptionDatabase.NextIds(lost));
        Assert.Equal(["users/2"], SubscriptionDatabase.NextIds(other));
        SubscriptionDatabase.Close(lost);
        SubscriptionDatabase.Acknowledge(other);
        Assert.Equal(["users/1"], SubscriptionDatabase.NextIds(other));
        _database.Test.Restart();
        SubscriptionWorker alone = _database.Connect("mail");
        Assert.Equal(["users/1"], SubscriptionDatabase.NextIds(alone));
        SubscriptionDatabase.Acknowledge(alone);
        Assert.Empty(SubscriptionDatabase.NextIds(alone));
        Assert.Equal(0, _database.Subscriptions.Get("mail").OwedCount);
    }

    [Fact]
    public void A_document_that_keeps_failing_goes_aside_and_can_be_sent_again()
    {
        Put("users/bad", "Users");
        Put("users/good", "Users");
        _database.Create("from Users", "mail");
        int batches = 0;
        bool isGoodDone = false;
        while (_database.Subscriptions.ListAside("mail").Count == 0)
        {
            SubscriptionWorker worker = _database.Connect("mail", SubscriptionStrategy.Concurrent);
            string[] ids = SubscriptionDatabase.NextIds(worker);
            if (!ids.Contains("users/bad") && ids.Length > 0)
            {
                SubscriptionDatabase.Acknowledge(worker);
                isGoodDone = true;
            }

            SubscriptionDatabase.Close(worker);
            Assert.True(++batches < 50);
        }

        Assert.True(isGoodDone);
        Assert.Equal(("users/bad", 10L), Assert.Single(_database.Subscriptions.ListAside("mail")));
        Assert.Equal(1, _database.Subscriptions.Get("mail").AsideCount);
        Assert.Equal(1, SubscriptionDatabase.Wait(_database.Subscriptions.SendAgainAsync("mail", null)));
        SubscriptionWorker again = _database.Connect("mail", SubscriptionStrategy.Concurrent);
        Assert.Equal(["users/bad"], SubscriptionDatabase.NextIds(again));
        SubscriptionDatabase.Acknowledge(again);
        Assert.Equal(0, _database.Subscriptions.Get("mail").OwedCount);
    }

    [Fact]
    public void A_document_is_sent_again_if_that_is_asked_for()
    {
        Put("users/1", "Users");
        Put("users/2", "Users");
        _database.Create("from Users", "mail");
        SubscriptionWorker worker = _database.Connect("mail");
        Assert.Equal(2, SubscriptionDatabase.NextIds(worker).Length);
        SubscriptionDatabase.Acknowledge(worker);
        SubscriptionDatabase.Wait(_database.Subscriptions.SendAgainAsync("mail", ["USERS/1"]));
        Assert.Equal(["users/1"], SubscriptionDatabase.NextIds(worker));
        SubscriptionDatabase.Acknowledge(worker);
        Assert.Empty(SubscriptionDatabase.NextIds(worker));
        Assert.Throws<SubscriptionException>(
            () => SubscriptionDatabase.Wait(_database.Subscriptions.SendAgainAsync("mail", ["users/9"])));
    }

    private void Put(string id, string collection) =>
        _database.Test.Put(id, $"{{\"@metadata\":{{\"@collection\":\"{collection}\"}}}}");
}
