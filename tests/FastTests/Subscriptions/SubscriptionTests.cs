using FastTests.Documents;
using Raven.Documents.Queries.Rql;
using Raven.Documents.Settings;
using Raven.Documents.Subscriptions;

namespace FastTests.Subscriptions;

/// <summary>Subscriptions in one process: what is sent, in which order, and how far they are.</summary>
public sealed class SubscriptionTests : IDisposable
{
    private readonly SubscriptionDatabase _database = new(new TestDatabase());

    public void Dispose() => _database.Dispose();

    [Fact]
    public void A_worker_gets_the_documents_of_the_collection_in_the_order_of_their_changes()
    {
        Put("users/1", "Users");
        Put("orders/1", "Orders");
        Put("users/2", "Users");
        Put("users/1", "Users");
        _database.Create("from users", "all");
        SubscriptionWorker worker = _database.Connect("all");
        Assert.Equal(["users/2", "users/1"], SubscriptionDatabase.NextIds(worker));
        SubscriptionDatabase.Acknowledge(worker);
        Assert.Empty(SubscriptionDatabase.NextIds(worker));
        Put("users/3", "Users");
        Assert.Equal(["users/3"], SubscriptionDatabase.NextIds(worker));
    }

    [Fact]
    [Trait("Invariant", "SUB-3")]
    public void What_is_not_acknowledged_is_sent_again_also_after_a_restart()
    {
        Put("users/1", "Users");
        Put("users/2", "Users");
        _database.Create("from Users", "all");
        SubscriptionWorker worker = _database.Connect("all", count: 1);
        Assert.Equal(["users/1"], SubscriptionDatabase.NextIds(worker));
        SubscriptionDatabase.Acknowledge(worker);
        Assert.Equal(["users/2"], SubscriptionDatabase.NextIds(worker));
        SubscriptionDatabase.Close(worker);
        _database.Test.Restart();
        worker = _database.Connect("all", count: 1);
        Assert.Equal(["users/2"], SubscriptionDatabase.NextIds(worker));
        SubscriptionDatabase.Acknowledge(worker);
        Assert.Empty(SubscriptionDatabase.NextIds(worker));
    }

    [Theory]
    [InlineData("from Users")]
    [InlineData("from Users include Friend")]
    [InlineData("from @all_docs")]
    [Trait("Invariant", "SUB-5")]
    public void A_batch_that_was_filled_ahead_is_what_would_be_read_when_it_is_sent(string query)
    {
        for (int i = 1; i <= 7; i++)
        {
            Put($"users/{i}", "Users");
        }

        _database.Create(query, "all");
        SubscriptionWorker worker = _database.Connect("all", count: 2);
        string[] Following(Action meanwhile)
        {
            worker.FillAhead();
            meanwhile();
            SubscriptionDatabase.Acknowledge(worker);
            return SubscriptionDatabase.NextIds(worker);
        }

        Assert.Equal(["users/1", "users/2"], SubscriptionDatabase.NextIds(worker));
        Assert.Equal(["users/3", "users/4"], Following(() => { }));
        Assert.Equal(["users/6", "users/7"], Following(() => Put("users/5", "Users")));
        worker.FillAhead();
        for (int i = 0; i < 8; i++)
        {
            // What was filled for nothing is not filled again at once.
            worker.FillAhead();
        }

        Assert.Empty(Following(() => _database.Test.Delete("users/5")));
        Put("users/8", "Users");
        Assert.Equal(["users/8"], SubscriptionDatabase.NextIds(worker));
        Assert.Empty(Following(() => { }));
    }

    [Fact]
    [Trait("Invariant", "SUB-5")]
    public void A_document_that_left_the_collection_is_not_sent_with_it()
    {
        Put("users/1", "Users");
        Put("users/2", "Users");
        _database.Create("from Users", "all");
        SubscriptionWorker worker = _database.Connect("all", count: 1);
        Assert.Equal(["users/1"], SubscriptionDatabase.NextIds(worker));
        worker.FillAhead();
        Put("users/2", "Clients");
        SubscriptionDatabase.Acknowledge(worker);
        Assert.Empty(SubscriptionDatabase.NextIds(worker));
    }

    [Fact]
    [Trait("Invariant", "SUB-5")]
    public void To_fill_ahead_twice_is_to_fill_ahead_once()
    {
        Put("users/1", "Users");
        Put("users/2", "Users");
        Put("users/3", "Users");
        _database.Create("from Users", "all");
        SubscriptionWorker worker = _database.Connect("all", count: 1);
        Assert.Equal(["users/1"], SubscriptionDatabase.NextIds(worker));
        worker.FillAhead();
        worker.FillAhead();
        SubscriptionDatabase.Acknowledge(worker);
        Assert.Equal(["users/2"], SubscriptionDatabase.NextIds(worker));
    }

    [Fact]
    [Trait("Invariant", "SUB-5")]
    public void Nothing_is_sent_twice_while_documents_are_owed()
    {
        Put("users/1", "Users");
        Put("users/2", "Users");
        _database.Create("from Users", "all");
        SubscriptionWorker worker = _database.Connect("all", count: 1);
        Assert.Equal(["users/1"], SubscriptionDatabase.NextIds(worker));
        SubscriptionDatabase.Acknowledge(worker);
        SubscriptionDatabase.Wait(_database.Subscriptions.SendAgainAsync("all", ["users/1"]));
        List<string> sent = [];
        for (string[] ids; (ids = SubscriptionDatabase.NextIds(worker)).Length > 0;)
        {
            sent.AddRange(ids);
            worker.FillAhead();
            SubscriptionDatabase.Acknowledge(worker);
        }

        Assert.Equal(["users/1", "users/2"], sent);
    }

    [Theory]
    [InlineData("from Users where Age > 20", "users/2 users/3")]
    [InlineData("from Users as u where u.Age > 20 and u.Name = 'b'", "users/2")]
    [InlineData("from Users where Name = 'B'", "")]
    [InlineData("from Users where Name != 'a' and not Age = 30", "users/3")]
    [InlineData("from Users where Age between 10 and 30", "users/1 users/2")]
    [InlineData("from Users where Name in ('a', 'c')", "users/1 users/3")]
    [InlineData("from Users where Tags[] = 'x'", "users/1")]
    [InlineData("from Users where Tags all in ('x', 'y')", "users/1")]
    [InlineData("from Users where startsWith(Name, 'b') or endsWith(Name, 'c')", "users/2 users/3")]
    [InlineData("from Users where regex(Name, '^[ab]$')", "users/1 users/2")]
    [InlineData("from Users where exists(Tags)", "users/1 users/2")]
    [InlineData("from Users where Missing = null", "users/1 users/2 users/3")]
    [InlineData("from Users where id() = 'users/3'", "users/3")]
    [InlineData("from Users as u where u.Tags.includes('z')", "users/2")]
    [InlineData("declare function old(u) { return u.Age >= 40; } from Users as u where old(u) = true", "users/3")]
    [InlineData("declare function old(u) { return u.Age >= 40; } from Users as u where old(u)", "users/3")]
    [InlineData("from @all_docs where Age = 10", "users/1")]
    public void The_condition_is_JavaScript(string query, string ids)
    {
        _database.Test.Put("users/1", Json("Users", "\"Age\":10,\"Name\":\"a\",\"Tags\":[\"x\",\"y\"]"));
        _database.Test.Put("users/2", Json("Users", "\"Age\":30,\"Name\":\"b\",\"Tags\":[\"z\"]"));
        _database.Test.Put("users/3", Json("Users", "\"Age\":50,\"Name\":\"c\""));
        _database.Create(query, "some");
        Assert.Equal(ids, string.Join(' ', SubscriptionDatabase.NextIds(_database.Connect("some"))));
    }

    [Theory]
    [InlineData("from Users select Name", "{\"Name\":\"a\",")]
    [InlineData("from Users as u select { Twice: u.Age * 2 }", "{\"Twice\":20,")]
    [InlineData("from Users as u load u.Boss as b select { Boss: b.Name }", "{\"Boss\":\"b\",")]
    [InlineData(
        "declare function f(u) { return { N: u.Name }; } from Users as u where u.Age = 10 select f(u)",
        "{\"N\":\"a\",")]
    public void A_projection_is_sent_in_place_of_the_document(string query, string json)
    {
        _database.Test.Put("people/2", Json("People", "\"Name\":\"b\""));
        _database.Test.Put("users/1", Json("Users", "\"Age\":10,\"Name\":\"a\",\"Boss\":\"people/2\""));
        _database.Create(query, "some");
        string sent = Assert.Single(SubscriptionDatabase.Next(_database.Connect("some")));
        Assert.StartsWith(json, sent, StringComparison.Ordinal);
        Assert.Contains("\"@id\":\"users/1\"", sent, StringComparison.Ordinal);
        Assert.Contains("\"@projection\":true", sent, StringComparison.Ordinal);
    }

    [Fact]
    public void A_document_at_which_the_script_fails_is_sent_with_the_error()
    {
        Put("users/1", "Users");
        _database.Create("from Users as u select { A: u.Name.x() .y, B: boom() }", "some");
        SubscriptionWorker worker = _database.Connect("some");
        SubscriptionBatch batch = SubscriptionDatabase.Take(worker)!;
        Assert.Contains("boom", batch.ErrorOf(0), StringComparison.Ordinal);
        Assert.Equal("users/1", batch.IdOf(0));
        Assert.Contains("@change-vector", System.Text.Encoding.UTF8.GetString(batch.DataOf(0)));
        Assert.Equal(1, _database.Subscriptions.Get("some").Counters.Failures);
    }

    [Theory]
    [InlineData("from Users order by Name", "order by")]
    [InlineData("from index 'x'", "an index")]
    [InlineData("from Users group by Name", "group by")]
    [InlineData("from Users limit 1", "limit")]
    [InlineData("from Users where search(Name, 'a')", "needs an index")]
    [InlineData("from Users where Name = $p", "no parameters")]
    [InlineData("from Users as u include timeseries(u.Friend, 'a')", "the document that is sent")]
    [InlineData("from Users include timeseries('a', last(0))", "above 0")]
    [InlineData("from Users select timeseries(from Heart)", "time series")]
    [InlineData("from Users (Revisions = 1)", "'true'")]
    [InlineData("from", "expected")]
    public void A_query_that_cannot_be_one_of_a_subscription_is_refused(string query, string says) =>
        Assert.Contains(
            says, Assert.Throws<RqlException>(() => _database.Create(query)).Message, StringComparison.Ordinal);

    [Fact]
    public void A_script_that_does_not_compile_is_refused() => Assert.Equal(
        SubscriptionProblem.Invalid,
        Assert.Throws<SubscriptionException>(() => _database.Create("from Users as u select { A: u. }")).Problem);

    [Fact]
    public void Documents_and_counters_are_sent_along()
    {
        _database.Test.Put("people/2", Json("People", "\"Name\":\"b\""));
        _database.Test.Put("users/1", Json("Users", "\"Boss\":\"people/2\",\"Other\":\"people/9\""));
        _database.Create("from Users as u include u.Boss, u.Other, counters('Likes')", "some");
        SubscriptionBatch batch = SubscriptionDatabase.Take(_database.Connect("some"))!;
        string includes = System.Text.Encoding.UTF8.GetString(batch.Includes);
        Assert.StartsWith("\"people/2\":{\"Name\":\"b\",", includes, StringComparison.Ordinal);
        Assert.EndsWith(",\"people/9\":null", includes, StringComparison.Ordinal);
        Assert.Equal("\"users/1\":[null]", System.Text.Encoding.UTF8.GetString(batch.Counters));
        Assert.Equal("\"users/1\":[\"Likes\"]", System.Text.Encoding.UTF8.GetString(batch.CounterNames));
    }

    [Fact]
    public async Task Revisions_are_sent_with_the_one_before_and_deletions_too()
    {
        _database.Create("from Users (Revisions = true) as doc", "all");
        Assert.Equal(
            SubscriptionProblem.InvalidState,
            Assert.Throws<SubscriptionException>(() => _database.Connect("all")).Problem);
        await _database.Test.Database.ConfigureAsync(SettingsStore.Revisions, "{\"Default\":{}}"u8.ToArray());
        _database.Test.Put("users/1", Json("Users", "\"A\":1"));
        _database.Test.Put("users/1", Json("Users", "\"A\":2"));
        _database.Test.Delete("users/1");
        string[] sent = SubscriptionDatabase.Next(_database.Connect("all"));
        Assert.Equal(3, sent.Length);
        Assert.StartsWith("{\"Current\":{\"A\":1,", sent[0], StringComparison.Ordinal);
        Assert.Contains("\"Previous\":null", sent[0], StringComparison.Ordinal);
        Assert.StartsWith("{\"Current\":{\"A\":2,", sent[1], StringComparison.Ordinal);
        Assert.Contains("\"Previous\":{\"A\":1,", sent[1], StringComparison.Ordinal);
        Assert.StartsWith("{\"Current\":null,\"Previous\":{\"A\":2,", sent[2], StringComparison.Ordinal);
    }

    [Fact]
    public async Task Revisions_are_filtered_by_their_versions()
    {
        await _database.Test.Database.ConfigureAsync(SettingsStore.Revisions, "{\"Default\":{}}"u8.ToArray());
        _database.Create(
            "from Users (Revisions = true) as r where r.Current.A > r.Previous.A select { A: r.Current.A }", "up");
        _database.Test.Put("users/1", Json("Users", "\"A\":1"));
        _database.Test.Put("users/1", Json("Users", "\"A\":2"));
        _database.Test.Put("users/1", Json("Users", "\"A\":1"));
        string sent = Assert.Single(SubscriptionDatabase.Next(_database.Connect("up")));
        Assert.StartsWith("{\"A\":2,", sent, StringComparison.Ordinal);
    }

    [Fact]
    public void Archived_documents_are_left_out_unless_they_are_asked_for()
    {
        _database.Test.Put("users/1", "{\"@metadata\":{\"@collection\":\"Users\",\"@archived\":true}}");
        Put("users/2", "Users");
        _database.Create(new SubscriptionChange { Query = "from Users", Name = "live" });
        _database.Create(new SubscriptionChange
        {
            Query = "from Users", Name = "old", Archived = ArchivedDocuments.ArchivedOnly,
        });
        Assert.Equal(["users/2"], SubscriptionDatabase.NextIds(_database.Connect("live")));
        Assert.Equal(["users/1"], SubscriptionDatabase.NextIds(_database.Connect("old")));
    }

    private void Put(string id, string collection) => _database.Test.Put(id, Json(collection, "\"A\":1"));

    private static string Json(string collection, string members) =>
        $"{{{members},\"@metadata\":{{\"@collection\":\"{collection}\"}}}}";
}
