using System.Text.Json.Nodes;
using Raven.Client.Documents;
using Raven.Client.Documents.Commands.Batches;
using Raven.Client.Documents.Session;
using Raven.Client.Exceptions;
using Raven.Client.Exceptions.Documents;

namespace FastTests.Client;

/// <summary>The unit of work: identity, tracking, one atomic save.</summary>
public sealed class SessionTests(ClientFixture fixture) : IClassFixture<ClientFixture>
{
    [Fact]
    public async Task A_stored_document_is_loaded_with_its_id()
    {
        using DocumentStore store = fixture.NewStore();
        string id;
        using (IAsyncDocumentSession session = store.OpenAsyncSession())
        {
            var user = new User { Name = "Ann", Age = 30, Address = new Address { Id = "kept", City = "Rome" } };
            await session.StoreAsync(user);
            await session.SaveChangesAsync();
            id = user.Id!;
        }

        Assert.Equal("users/1-A", id);
        using (IAsyncDocumentSession session = store.OpenAsyncSession())
        {
            User? user = await session.LoadAsync<User>(id);
            Assert.Equal("Ann", user!.Name);
            Assert.Equal("kept", user.Address!.Id);
            Assert.Equal(id, user.Id);
            IMetadataDictionary metadata = session.Advanced.GetMetadataFor(user);
            Assert.Equal("Users", metadata.GetString("@collection"));
            Assert.NotNull(session.Advanced.GetChangeVectorFor(user));
            Assert.NotNull(session.Advanced.GetLastModifiedFor(user));
            JsonObject? raw = await store.OpenAsyncSession().LoadAsync<JsonObject>(id);
            Assert.False(raw!.ContainsKey("Id"));
        }
    }

    [Fact]
    public async Task A_document_that_is_loaded_twice_is_the_same_object_and_needs_one_request()
    {
        using DocumentStore store = fixture.NewStore();
        await Put(store, new User { Id = "users/a", Name = "A" });
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        User? first = await session.LoadAsync<User>("users/a");
        User? second = await session.LoadAsync<User>("USERS/A");
        Assert.Same(first, second);
        Assert.Null(await session.LoadAsync<User>("users/none"));
        Assert.Null(await session.LoadAsync<User>("users/none"));
        Assert.Equal(2, session.Advanced.NumberOfRequests);
    }

    [Fact]
    public async Task Only_changed_documents_are_saved()
    {
        using DocumentStore store = fixture.NewStore();
        await Put(store, new User { Id = "users/a", Name = "A" }, new User { Id = "users/b", Name = "B" });
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        Dictionary<string, User?> users = await session.LoadAsync<User>(["users/a", "users/b"]);
        string before = session.Advanced.GetChangeVectorFor(users["users/b"]!)!;
        Assert.False(session.Advanced.HasChanges);
        users["users/a"]!.Age = 41;
        users["users/a"]!.Tags.Add("new");
        Assert.True(session.Advanced.HasChanged(users["users/a"]!));
        Assert.False(session.Advanced.HasChanged(users["users/b"]!));
        DocumentsChanges[] changes = session.Advanced.WhatChanged()["users/a"];
        Assert.Equal(["Age", "Tags[0]"], changes.Select(change => change.FieldFullName));
        Assert.Equal([ChangeType.FieldChanged, ChangeType.ArrayValueAdded], changes.Select(change => change.Change));
        await session.SaveChangesAsync();
        Assert.Equal(before, session.Advanced.GetChangeVectorFor(users["users/b"]!));
        int requests = session.Advanced.NumberOfRequests;
        await session.SaveChangesAsync();
        Assert.Equal(requests, session.Advanced.NumberOfRequests);
        Assert.Equal(41, (await store.OpenAsyncSession().LoadAsync<User>("users/a"))!.Age);
    }

    [Fact]
    public async Task Properties_that_the_class_does_not_have_are_kept_by_a_save()
    {
        using DocumentStore store = fixture.NewStore();
        using (IAsyncDocumentSession session = store.OpenAsyncSession())
        {
            var json = JsonNode.Parse("{\"Name\":\"A\",\"Extra\":[1,2],\"Address\":{\"City\":\"Rome\",\"Zip\":7}}")!;
            await session.StoreAsync(json.AsObject(), "users/a");
            session.Advanced.GetMetadataFor(json.AsObject())["@collection"] = "Users";
            await session.SaveChangesAsync();
        }

        using (IAsyncDocumentSession session = store.OpenAsyncSession())
        {
            User user = (await session.LoadAsync<User>("users/a"))!;
            Assert.False(session.Advanced.HasChanges);
            user.Address!.City = "Oslo";
            await session.SaveChangesAsync();
        }

        JsonObject saved = (await store.OpenAsyncSession().LoadAsync<JsonObject>("users/a"))!;
        Assert.Equal("[1,2]", saved["Extra"]!.ToJsonString());
        Assert.Equal(7, (int)saved["Address"]!["Zip"]!);
        Assert.Equal("Oslo", (string?)saved["Address"]!["City"]);
    }

    [Fact]
    public async Task A_save_with_optimistic_concurrency_does_not_overwrite_a_concurrent_change()
    {
        using DocumentStore store = fixture.NewStore();
        await Put(store, new User { Id = "users/a", Name = "A" }, new User { Id = "users/b", Name = "B" });
        using IAsyncDocumentSession mine = store.OpenAsyncSession();
        User user = (await mine.LoadAsync<User>("users/a"))!;
        User other = (await mine.LoadAsync<User>("users/b"))!;
        using (IAsyncDocumentSession theirs = store.OpenAsyncSession())
        {
            (await theirs.LoadAsync<User>("users/a"))!.Name = "Theirs";
            await theirs.SaveChangesAsync();
        }

        user.Name = "Mine";
        other.Name = "Changed";
        ConcurrencyException conflict = await Assert.ThrowsAsync<ConcurrencyException>(() => mine.SaveChangesAsync());
        Assert.Equal("users/a", conflict.Id);
        Assert.NotEqual(conflict.ExpectedChangeVector, conflict.ActualChangeVector);
        Assert.Equal("B", (await store.OpenAsyncSession().LoadAsync<User>("users/b"))!.Name);

        await mine.Advanced.RefreshAsync(user);
        Assert.Equal("Theirs", user.Name);
        user.Name = "Both";
        await mine.SaveChangesAsync();
        Dictionary<string, User?> saved =
            await store.OpenAsyncSession().LoadAsync<User>(["users/a", "users/b"]);
        Assert.Equal(["Both", "Changed"], saved.Values.Select(it => it!.Name));
    }

    [Fact]
    public async Task A_new_document_does_not_replace_an_existing_one()
    {
        using DocumentStore store = fixture.NewStore();
        await Put(store, new User { Id = "users/a", Name = "A" });
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        await session.StoreAsync(new User { Name = "B" }, "users/a");
        await Assert.ThrowsAsync<ConcurrencyException>(() => session.SaveChangesAsync());
        session.Advanced.UseOptimisticConcurrency = false;
        await session.SaveChangesAsync();
        Assert.Equal("B", (await store.OpenAsyncSession().LoadAsync<User>("users/a"))!.Name);
    }

    [Fact]
    public async Task A_save_can_want_that_what_was_only_read_still_holds()
    {
        using DocumentStore store = fixture.NewStore();
        await Put(store, new User { Id = "users/a" }, new User { Id = "users/b" });
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        Assert.Equal(OptimisticConcurrencyMode.Writes, session.Advanced.OptimisticConcurrencyMode);
        session.Advanced.OptimisticConcurrencyMode = OptimisticConcurrencyMode.WritesAndReads;
        Assert.True(session.Advanced.UseOptimisticConcurrency);
        await session.LoadAsync<User>("users/a");
        User written = (await session.LoadAsync<User>("users/b"))!;
        written.Age = 1;
        await session.SaveChangesAsync();
        await session.SaveChangesAsync();
        using (IAsyncDocumentSession other = store.OpenAsyncSession())
        {
            (await other.LoadAsync<User>("users/a"))!.Age = 7;
            await other.SaveChangesAsync();
        }

        written.Age = 2;
        Assert.Equal("users/a", (await Assert.ThrowsAsync<ConcurrencyException>(() => session.SaveChangesAsync())).Id);
        session.Advanced.OptimisticConcurrencyMode = OptimisticConcurrencyMode.Writes;
        await session.SaveChangesAsync();
    }

    [Fact]
    public async Task A_deletion_is_done_by_the_save()
    {
        using DocumentStore store = fixture.NewStore();
        await Put(store, new User { Id = "users/a" }, new User { Id = "users/b" }, new User { Id = "users/c" });
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        User user = (await session.LoadAsync<User>("users/a"))!;
        session.Delete(user);
        session.Delete("users/b");
        Assert.Null(await session.LoadAsync<User>("users/a"));
        Assert.Null(await session.LoadAsync<User>("users/b"));
        Assert.Equal(ChangeType.DocumentDeleted, session.Advanced.WhatChanged()["users/b"].Single().Change);
        await session.SaveChangesAsync();
        Assert.False(session.Advanced.HasChanges);
        session.Delete("users/c", "A:9999-AAAAAAAAAAAAAAAAAAAAAA");
        await Assert.ThrowsAsync<ConcurrencyException>(() => session.SaveChangesAsync());
        using IAsyncDocumentSession next = store.OpenAsyncSession();
        Assert.False(await next.Advanced.ExistsAsync("users/a"));
        Assert.False(await next.Advanced.ExistsAsync("users/b"));
        Assert.True(await next.Advanced.ExistsAsync("users/c"));
    }

    [Fact]
    public async Task The_server_completes_ids_that_end_with_a_slash_or_a_pipe()
    {
        using DocumentStore store = fixture.NewStore();
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        User[] users = [new(), new(), new()];
        await session.StoreAsync(users[0], "people/");
        await session.StoreAsync(users[1], "people/");
        await session.StoreAsync(users[2], "people|");
        await session.SaveChangesAsync();
        Assert.Equal("people/1", users[2].Id);
        Assert.StartsWith("people/", users[0].Id, StringComparison.Ordinal);
        Assert.NotEqual(users[0].Id, users[1].Id);
        Assert.Same(users[0], await session.LoadAsync<User>(users[0].Id!));
        Assert.Equal(1, session.Advanced.NumberOfRequests);
    }

    [Fact]
    public async Task A_second_object_with_the_id_of_a_tracked_one_is_refused()
    {
        using DocumentStore store = fixture.NewStore();
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        await session.StoreAsync(new User(), "users/a");
        await Assert.ThrowsAsync<NonUniqueObjectException>(() => session.StoreAsync(new User(), "Users/A"));
    }

    [Fact]
    public async Task Metadata_is_saved_with_the_document()
    {
        using DocumentStore store = fixture.NewStore();
        using (IAsyncDocumentSession session = store.OpenAsyncSession())
        {
            var user = new User();
            await session.StoreAsync(user, "users/a");
            session.Advanced.GetMetadataFor(user)["Owner"] = "me";
            await session.SaveChangesAsync();
        }

        using (IAsyncDocumentSession session = store.OpenAsyncSession())
        {
            User user = (await session.LoadAsync<User>("users/a"))!;
            Assert.Equal("me", session.Advanced.GetMetadataFor(user).GetString("Owner"));
            session.Advanced.GetMetadataFor(user)["Level"] = 3;
            Assert.True(session.Advanced.HasChanges);
            await session.SaveChangesAsync();
            Assert.False(session.Advanced.HasChanges);
        }

        using (IAsyncDocumentSession session = store.OpenAsyncSession())
        {
            User user = (await session.LoadAsync<User>("users/a"))!;
            user.Age = 5;
            await session.SaveChangesAsync();
        }

        using (IAsyncDocumentSession session = store.OpenAsyncSession())
        {
            User user = (await session.LoadAsync<User>("users/a"))!;
            Assert.Equal(3, session.Advanced.GetMetadataFor(user).GetLong("Level"));
            Assert.Equal("me", session.Advanced.GetMetadataFor(user).GetString("Owner"));
        }
    }

    [Fact]
    public async Task Patches_are_done_by_the_save_and_update_the_tracked_entity()
    {
        using DocumentStore store = fixture.NewStore();
        await Put(store, new User { Id = "users/a", Name = "A", Age = 1, Tags = ["x", "y"] });
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        User user = (await session.LoadAsync<User>("users/a"))!;
        session.Advanced.Patch(user, it => it.Name, "Patched");
        session.Advanced.Increment(user, it => it.Age, 10);
        session.Advanced.Patch(user, it => it.Tags, tags => tags.Add("z").RemoveAt(0));
        session.Advanced.Patch<User, string>("users/a", it => it.Address!.City, "Rome");
        await Assert.ThrowsAnyAsync<RavenException>(() => session.SaveChangesAsync());
        session.Advanced.Clear();
        user = (await session.LoadAsync<User>("users/a"))!;
        session.Advanced.Patch(user, it => it.Name, "Patched");
        session.Advanced.Increment(user, it => it.Age, 10);
        session.Advanced.Patch(user, it => it.Tags, tags => tags.Add("z").RemoveAt(0));
        session.Advanced.AddOrPatch("users/b", new User { Name = "made" }, it => it.Age, 3);
        session.Advanced.AddOrIncrement("users/b", new User { Name = "made" }, it => it.Age, 4);
        await session.SaveChangesAsync();
        Assert.Equal(("Patched", 11), (user.Name, user.Age));
        Assert.Equal(["y", "z"], user.Tags);
        Assert.False(session.Advanced.HasChanges);
        user.Age++;
        await session.SaveChangesAsync();
        User made = (await store.OpenAsyncSession().LoadAsync<User>("users/b"))!;
        Assert.Equal(("made", 4), (made.Name, made.Age));
    }

    [Fact]
    public async Task Deferred_commands_are_in_the_same_transaction_as_the_save()
    {
        using DocumentStore store = fixture.NewStore();
        await Put(store, new User { Id = "users/a", Name = "A" });
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        await session.StoreAsync(new User(), "users/b");
        session.Advanced.Defer(
            new PatchCommandData("users/a", null, new() { Script = "this.Age = args.n", Values = { ["n"] = 8 } }),
            new DeleteCommandData("users/none", "A:1-AAAAAAAAAAAAAAAAAAAAAA"));
        await Assert.ThrowsAsync<ConcurrencyException>(() => session.SaveChangesAsync());
        Assert.False(await store.OpenAsyncSession().Advanced.ExistsAsync("users/b"));
    }

    [Fact]
    public async Task A_disposed_store_returns_its_unused_HiLo_numbers()
    {
        using DocumentStore first = fixture.NewStore();
        var user = new User();
        using (DocumentStore second = fixture.OpenAgain(first))
        {
            await second.OpenAsyncSession().StoreAsync(user);
        }

        var next = new User();
        await first.OpenAsyncSession().StoreAsync(next);
        Assert.Equal(("users/1-A", "users/2-A"), (user.Id, next.Id));
    }

    [Fact]
    public async Task Evicted_and_ignored_entities_are_not_saved()
    {
        using DocumentStore store = fixture.NewStore();
        await Put(store, new User { Id = "users/a", Name = "A" }, new User { Id = "users/b", Name = "B" });
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        User first = (await session.LoadAsync<User>("users/a"))!;
        User second = (await session.LoadAsync<User>("users/b"))!;
        first.Name = second.Name = "changed";
        session.Advanced.IgnoreChangesFor(first);
        session.Advanced.Evict(second);
        Assert.False(session.Advanced.HasChanges);
        Assert.False(session.Advanced.IsLoaded("users/b"));
        Assert.Equal("B", (await session.LoadAsync<User>("users/b"))!.Name);
        Assert.Throws<InvalidOperationException>(() => session.Advanced.GetMetadataFor(second));
        await session.StoreAsync(new User(), "users/c");
        await session.SaveChangesAsync();
        using (IAsyncDocumentSession other = store.OpenAsyncSession())
        {
            Dictionary<string, User?> saved = await other.LoadAsync<User>(["users/a", "users/b", "users/c"]);
            Assert.Equal(["A", "B", ""], saved.Values.Select(user => user?.Name));
        }

        session.Advanced.Clear();
        Assert.False(session.Advanced.IsLoaded("users/a"));
    }

    [Fact]
    public async Task A_conditional_load_returns_only_a_changed_document()
    {
        using DocumentStore store = fixture.NewStore();
        await Put(store, new User { Id = "users/a", Name = "A" });
        string known;
        using (IAsyncDocumentSession session = store.OpenAsyncSession())
        {
            known = session.Advanced.GetChangeVectorFor((await session.LoadAsync<User>("users/a"))!)!;
        }

        using (IAsyncDocumentSession session = store.OpenAsyncSession())
        {
            Assert.Equal(
                new ConditionalLoadResult<User>(null, known),
                await session.Advanced.ConditionalLoadAsync<User>("users/a", known));
            Assert.Equal(
                new ConditionalLoadResult<User>(null, null),
                await session.Advanced.ConditionalLoadAsync<User>("users/none", known));
            ConditionalLoadResult<User> changed =
                await session.Advanced.ConditionalLoadAsync<User>("users/a", "A:0-AAAAAAAAAAAAAAAAAAAAAA");
            Assert.Equal("A", changed.Entity!.Name);
            Assert.Equal(known, changed.ChangeVector);
        }
    }

    [Fact]
    public async Task Documents_of_an_id_prefix_are_loaded_and_streamed_in_order()
    {
        using DocumentStore store = fixture.NewStore();
        await Put(store, [.. Enumerable.Range(0, 40).Select(i => new User { Id = $"users/{i:00}", Age = i })]);
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        IReadOnlyList<User> page = await session.Advanced.LoadStartingWithAsync<User>(
            "users/", matches: "1*|2*", start: 1, pageSize: 3, exclude: "12");
        Assert.Equal([11, 13, 14], page.Select(user => user.Age));
        Assert.Same(page[0], await session.LoadAsync<User>("users/11"));
        List<int> streamed = [];
        IAsyncEnumerable<StreamResult<User>> stream =
            session.Advanced.StreamAsync<User>("users/", startAfter: "users/09");
        await foreach (StreamResult<User> result in stream)
        {
            streamed.Add(result.Document.Age);
            Assert.Equal(result.Id, result.Document.Id);
            Assert.NotNull(result.ChangeVector);
        }

        Assert.Equal(Enumerable.Range(10, 30), streamed);
        Assert.False(session.Advanced.IsLoaded("users/39"));
    }

    [Fact]
    public async Task A_session_without_tracking_returns_new_objects_and_saves_none()
    {
        using DocumentStore store = fixture.NewStore();
        await Put(store, new User { Id = "users/a", Name = "A" });
        using IAsyncDocumentSession session = store.OpenAsyncSession(new SessionOptions { NoTracking = true });
        User first = (await session.LoadAsync<User>("users/a"))!;
        User second = (await session.LoadAsync<User>("users/a"))!;
        Assert.NotSame(first, second);
        first.Name = "changed";
        Assert.False(session.Advanced.HasChanges);
    }

    [Fact]
    public async Task A_document_of_a_derived_class_is_loaded_as_that_class()
    {
        using DocumentStore store = fixture.NewStore(store =>
            store.Conventions.FindCollectionName = type => typeof(Animal).IsAssignableFrom(type) ? "Animals" : null);
        using (IAsyncDocumentSession session = store.OpenAsyncSession())
        {
            await session.StoreAsync(new Dog { Id = "animals/rex", Name = "Rex", Barks = true });
            await session.SaveChangesAsync();
        }

        Animal animal = (await store.OpenAsyncSession().LoadAsync<Animal>("animals/rex"))!;
        Assert.True(Assert.IsType<Dog>(animal).Barks);
        object untyped = (await store.OpenAsyncSession().LoadAsync<object>("animals/rex"))!;
        Assert.IsType<Dog>(untyped);
    }

    [Fact]
    public async Task Loading_a_tracked_document_as_another_type_is_refused()
    {
        using DocumentStore store = fixture.NewStore();
        await Put(store, new User { Id = "users/a", Name = "A" });
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        await session.LoadAsync<User>("users/a");
        InvalidOperationException refused =
            await Assert.ThrowsAsync<InvalidOperationException>(() => session.LoadAsync<Company>("users/a"));
        Assert.Contains("User", refused.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Refreshing_a_deleted_document_is_refused()
    {
        using DocumentStore store = fixture.NewStore();
        await Put(store, new User { Id = "users/a", Name = "A" });
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        User user = (await session.LoadAsync<User>("users/a"))!;
        using (IAsyncDocumentSession other = store.OpenAsyncSession())
        {
            other.Delete("users/a");
            await other.SaveChangesAsync();
        }

        await Assert.ThrowsAsync<DocumentDoesNotExistException>(() => session.Advanced.RefreshAsync(user));
    }

    [Fact]
    public void The_blocking_session_stores_loads_queries_and_deletes()
    {
        using DocumentStore store = fixture.NewStore();
        using (IDocumentSession session = store.OpenSession())
        {
            session.Store(new Company { Name = "C" }, "companies/c");
            session.Store(new Order { CompanyId = "companies/c" }, "orders/o");
            session.Store(new User { Name = "A" });
            session.SaveChanges();
        }

        using (IDocumentSession session = store.OpenSession())
        {
            Order order = session.Include<Order>(it => it.CompanyId).Load("orders/o")!;
            Assert.Equal("C", session.Load<Company>(order.CompanyId!)!.Name);
            Assert.Equal(1, session.Advanced.NumberOfRequests);
            Assert.True(session.Advanced.Exists("users/1-A"));
            Assert.Equal(["A"], session.Advanced.LoadStartingWith<User>("users/").Select(user => user.Name));
            Assert.Equal(["A"], session.Advanced.Stream<User>("users/").Select(it => it.Document.Name));
            session.Delete("users/1-A");
            session.SaveChanges();
            Lazy<Order?> lazy = session.Advanced.Lazily.Load<Order>("orders/o");
            Lazy<User?> gone = session.Advanced.Lazily.Load<User>("users/1-A");
            session.Advanced.Eagerly.ExecuteAllPendingLazyOperations();
            Assert.Same(order, lazy.Value);
            Assert.Null(gone.Value);
            session.Advanced.Refresh(order);
        }
    }

    private static async Task Put(DocumentStore store, params User[] users)
    {
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        foreach (User user in users)
        {
            await session.StoreAsync(user, user.Id!);
        }

        await session.SaveChangesAsync();
    }
}
