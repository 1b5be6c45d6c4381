using Raven.Client.Documents;
using Raven.Client.Documents.Session;

namespace FastTests.Client;

/// <summary>Stores and sessions raise events before and after what they do.</summary>
public sealed class EventTests(ClientFixture fixture) : IClassFixture<ClientFixture>
{
    [Fact]
    public async Task Events_of_a_store_cover_all_of_its_sessions_and_events_of_a_session_only_itself()
    {
        List<string> told = [];
        List<string> own = [];
        using (DocumentStore store = fixture.NewStore())
        {
            Watch(store, told);
            using (IAsyncDocumentSession session = store.OpenAsyncSession())
            {
                await session.StoreAsync(new User { Name = "a" }, "users/a");
                await session.SaveChangesAsync();
                await session.SaveChangesAsync();
            }

            using (IDocumentSession session = store.OpenSession())
            {
                Watch(session.Advanced, own);
                User user = session.Load<User>("users/a")!;
                Assert.Equal("a, changed by a handler", user.Name);
                Assert.Equal("yes", session.Advanced.GetMetadataFor(user)["Seen"]);
                session.Load<User>("users/a");
                _ = session.Query<User>().ToList();
                session.Delete(user);
                session.SaveChanges();
            }

            using IDocumentSession other = store.OpenSession();
            other.Delete("users/b");
            other.SaveChanges();
        }

        Assert.Equal(
            [
                "opened", "before store users/a", "saved users/a", "ends",
                "opened", "read users/a a, changed by a handler", "before query from 'Users'",
                "before delete users/a User", "ends", "opened", "before delete users/b ", "ends", "disposed",
            ],
            told);
        Assert.Equal(
            ["read users/a", "before query from 'Users'", "before delete users/a"], own);
    }

    [Fact]
    public async Task An_event_handler_that_throws_prevents_the_save_and_a_removed_handler_is_not_called()
    {
        using DocumentStore store = fixture.NewStore();
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        session.Advanced.OnBeforeStore += Refuse;
        session.Advanced.OnBeforeDelete += RefuseDelete;
        await session.StoreAsync(new User(), "users/a");
        await Assert.ThrowsAsync<NotSupportedException>(() => session.SaveChangesAsync());
        Assert.False(await store.OpenAsyncSession().Advanced.ExistsAsync("users/a"));
        session.Advanced.OnBeforeStore -= Refuse;
        await session.SaveChangesAsync();
        session.Delete("users/a");
        await Assert.ThrowsAsync<NotSupportedException>(() => session.SaveChangesAsync());
        Assert.True(await store.OpenAsyncSession().Advanced.ExistsAsync("users/a"));
        session.Advanced.OnBeforeDelete -= RefuseDelete;
        await session.SaveChangesAsync();
        Assert.False(await store.OpenAsyncSession().Advanced.ExistsAsync("users/a"));

        static void Refuse(object? sender, BeforeStoreEventArgs store) => throw new NotSupportedException();

        static void RefuseDelete(object? sender, BeforeDeleteEventArgs delete) => throw new NotSupportedException();
    }

    private static void Watch(DocumentStore store, List<string> told)
    {
        store.OnSessionCreated += (_, it) => told.Add(it.Session.DocumentStore == store ? "opened" : "?");
        store.OnSessionDisposing += (_, it) => told.Add(it.Session.DocumentStore == store ? "ends" : "?");
        store.AfterDispose += (_, _) => told.Add("disposed");
        store.OnBeforeStore += (_, it) =>
        {
            told.Add($"before store {it.DocumentId}");
            ((User)it.Entity).Name += ", changed by a handler";
            it.DocumentMetadata["Seen"] = "yes";
        };
        store.OnAfterSaveChanges += (_, it) => told.Add($"saved {it.DocumentId}");
        store.OnBeforeDelete += (_, it) => told.Add($"before delete {it.DocumentId} {it.Entity?.GetType().Name}");
        store.OnBeforeQuery += (_, it) => told.Add($"before query {it.Query}");
        store.OnAfterConversionToEntity += (_, it) => told.Add($"read {it.DocumentId} {((User)it.Entity).Name}");
    }

    private static void Watch(IAdvancedSessionOperations session, List<string> told)
    {
        session.OnBeforeStore += (_, it) => told.Add($"before store {it.DocumentId}");
        session.OnAfterSaveChanges += (_, it) => told.Add($"saved {it.DocumentId}");
        session.OnBeforeDelete += (_, it) => told.Add($"before delete {it.DocumentId}");
        session.OnBeforeQuery += (_, it) => told.Add($"before query {it.Query}");
        session.OnAfterConversionToEntity += (_, it) => told.Add($"read {it.DocumentId}");
    }
}
