using FastTests.Documents;
using Raven.Documents.Subscriptions;

namespace FastTests.Subscriptions;

/// <summary>Definitions of subscriptions: made, changed, renamed, deleted; what that does to their workers.</summary>
public sealed class SubscriptionDefinitionTests : IDisposable
{
    private readonly SubscriptionDatabase _database = new(new TestDatabase());

    public void Dispose() => _database.Dispose();

    [Fact]
    public void A_name_is_made_if_none_is_given_and_is_taken_once()
    {
        Assert.Equal("1", _database.Create("from Users").Name);
        Assert.Equal("2", _database.Create("from Users").Name);
        _database.Create("from Users", "Mail");
        Assert.Equal(
            SubscriptionProblem.Name,
            Assert.Throws<SubscriptionException>(() => _database.Create("from Users", "mail")).Problem);
        Assert.Equal(["1", "2", "Mail"], _database.Subscriptions.List().Select(one => one.Definition.Name));
    }

    [Fact]
    public void The_same_request_again_makes_nothing_more()
    {
        SubscriptionChange change = new() { Query = "from Users", RequestId = "r1" };
        Assert.Equal(_database.Create(change).Name, _database.Create(change).Name);
        SubscriptionChange named = new() { Query = "from Users", Name = "mail", RequestId = "r2" };
        Assert.Equal(_database.Create(named), _database.Create(named));
        Assert.Equal(2, _database.Subscriptions.List().Count);
    }

    [Fact]
    public void An_update_changes_only_what_it_has_and_says_whether_it_changed_something()
    {
        SubscriptionDefinition made = _database.Create("from Users", "mail");
        Assert.False(Update(new SubscriptionChange { Name = "mail" }).IsChanged);
        Assert.False(Update(new SubscriptionChange { Name = "mail", Query = made.Query }).IsChanged);
        Assert.True(Update(new SubscriptionChange { Name = "mail", Query = "from Orders" }).IsChanged);
        Assert.True(Update(new SubscriptionChange { Id = made.Id, Name = "post" }).IsChanged);
        SubscriptionInfo info = _database.Subscriptions.Get("post");
        Assert.Equal((made.Id, "from Orders"), (info.Definition.Id, info.Definition.Query));
        Assert.Equal(
            SubscriptionProblem.DoesNotExist,
            Assert.Throws<SubscriptionException>(() => _database.Subscriptions.Get("mail")).Problem);
        Assert.Throws<SubscriptionException>(() => Update(new SubscriptionChange { Name = "mail" }));
        Assert.Equal("mail", Update(new SubscriptionChange
        {
            Name = "mail", Query = "from Users", CreatesMissing = true,
        }).Definition.Name);
        Assert.Throws<SubscriptionException>(() => Update(new SubscriptionChange { Id = made.Id, Name = "MAIL" }));
    }

    [Fact]
    public void It_begins_where_it_is_told_and_a_vector_of_another_database_is_refused()
    {
        _database.Test.Put("users/1", "{\"@metadata\":{\"@collection\":\"Users\"}}");
        string first = TestDatabase.ChangeVectorOf(1);
        _database.Test.Put("users/2", "{\"@metadata\":{\"@collection\":\"Users\"}}");
        Assert.Equal("users/1 users/2", Sent(SubscriptionChange.BeginningOfTime));
        Assert.Equal("users/1 users/2", Sent(null));
        Assert.Equal("users/2", Sent(first));
        Assert.Equal("", Sent(SubscriptionChange.LastDocument));
        foreach (string wrong in new[] { TestDatabase.ChangeVectorOf(99), "A:1-AAAAAAAAAAAAAAAAAAAAAA", "nonsense" })
        {
            Assert.Equal(
                SubscriptionProblem.ChangeVector,
                Assert.Throws<SubscriptionException>(() => Sent(wrong)).Problem);
        }

        SubscriptionDefinition made = _database.Create("from Users", "mail");
        SubscriptionWorker worker = _database.Connect("mail");
        Assert.Equal(2, SubscriptionDatabase.NextIds(worker).Length);
        SubscriptionDatabase.Acknowledge(worker);
        Assert.True(Update(new SubscriptionChange { Id = made.Id, ChangeVector = first }).IsChanged);
        Assert.Equal(SubscriptionProblem.Changed, worker.End!.Problem);
        SubscriptionDatabase.Close(worker);
        Assert.Equal(["users/2"], SubscriptionDatabase.NextIds(_database.Connect("mail")));
    }

    [Fact]
    public void Changes_end_workers_and_a_late_acknowledgement_moves_nothing()
    {
        _database.Test.Put("users/1", "{\"@metadata\":{\"@collection\":\"Users\"}}");
        _database.Create("from Users", "mail");
        SubscriptionWorker worker = _database.Connect("mail");
        Assert.Single(SubscriptionDatabase.NextIds(worker));
        Update(new SubscriptionChange { Name = "mail", IsDisabled = true });
        SubscriptionException end = Assert.Throws<SubscriptionException>(
            () => SubscriptionDatabase.Acknowledge(worker));
        Assert.Equal((SubscriptionProblem.Closed, false), (end.Problem, end.CanReconnect));
        SubscriptionDatabase.Close(worker);
        Assert.Throws<SubscriptionException>(() => _database.Connect("mail"));
        Update(new SubscriptionChange { Name = "mail", IsDisabled = false });
        worker = _database.Connect("mail");
        Assert.Single(SubscriptionDatabase.NextIds(worker));
        Assert.Equal(1, _database.Subscriptions.Drop("mail", null));
        Assert.Throws<SubscriptionException>(() => SubscriptionDatabase.Acknowledge(worker));
        SubscriptionDatabase.Close(worker);
        worker = _database.Connect("mail");
        Assert.NotNull(SubscriptionDatabase.Wait(_database.Subscriptions.DeleteAsync("MAIL")));
        Assert.Equal(SubscriptionProblem.DoesNotExist, worker.End!.Problem);
        Assert.Null(SubscriptionDatabase.Wait(_database.Subscriptions.DeleteAsync("mail")));
        SubscriptionDatabase.Close(worker);
        Assert.NotEqual(1, _database.Create("from Users", "mail").Id);
    }

    [Fact]
    public void The_definition_and_the_position_survive_a_restart()
    {
        _database.Test.Put("users/1", "{\"@metadata\":{\"@collection\":\"Users\"}}");
        _database.Create(new SubscriptionChange
        {
            Name = "mail", Query = "from Users", MentorNode = "A", PinToMentorNode = true, CommandIndex = 7,
            Archived = ArchivedDocuments.IncludeArchived,
        });
        SubscriptionWorker worker = _database.Connect("mail");
        Assert.Single(SubscriptionDatabase.NextIds(worker));
        SubscriptionDatabase.Acknowledge(worker);
        SubscriptionDatabase.Close(worker);
        SubscriptionInfo before = _database.Subscriptions.Get("mail");
        _database.Test.Restart();
        SubscriptionInfo after = _database.Subscriptions.Get("mail");
        Assert.Equal(before.Definition, after.Definition);
        Assert.Equal(before.Position, after.Position);
        Assert.Equal(TestDatabase.ChangeVectorOf(1), after.ChangeVector);
        Assert.Equal(0, after.Lag);
    }

    private string Sent(string? vector)
    {
        string name = _database.Create(new SubscriptionChange { Query = "from Users", ChangeVector = vector }).Name;
        return string.Join(' ', SubscriptionDatabase.NextIds(_database.Connect(name)));
    }

    private (SubscriptionDefinition Definition, bool IsChanged) Update(SubscriptionChange change) =>
        SubscriptionDatabase.Wait(_database.Subscriptions.UpdateAsync(change));
}
