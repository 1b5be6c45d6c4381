using System.Text;
using Raven.Client.Documents;
using Raven.Client.Documents.Linq;
using Raven.Client.Documents.Operations;
using Raven.Client.Documents.Operations.Attachments;
using Raven.Client.Documents.Operations.CompareExchange;
using Raven.Client.Documents.Operations.Expiration;
using Raven.Client.Documents.Operations.Identities;
using Raven.Client.Documents.Operations.Revisions;
using Raven.Client.Documents.Session;
using Raven.Client.Documents.Session.Loaders;
using Raven.Client.Exceptions.Cluster;
using Raven.Client.Exceptions.Documents.Patching;
using Raven.Client.ServerWide;
using Raven.Client.ServerWide.Operations;

namespace FastTests.Client;

/// <summary>Counters, attachments, revisions, compare-exchange values and operations.</summary>
public sealed class SessionExtrasTests(ClientFixture fixture) : IClassFixture<ClientFixture>
{
    [Fact]
    public async Task Lazy_conditional_loads_are_sent_together_and_return_only_changed_documents()
    {
        using DocumentStore store = fixture.NewStore();
        string known;
        using (IAsyncDocumentSession session = store.OpenAsyncSession())
        {
            var user = new User { Name = "A" };
            await session.StoreAsync(user, "users/a");
            await session.SaveChangesAsync();
            known = session.Advanced.GetChangeVectorFor(user)!;
        }

        const string Other = "A:0-AAAAAAAAAAAAAAAAAAAAAA";
        using (IAsyncDocumentSession session = store.OpenAsyncSession())
        {
            Lazy<Task<ConditionalLoadResult<User>>> same =
                session.Advanced.Lazily.ConditionalLoadAsync<User>("users/a", known);
            Lazy<Task<ConditionalLoadResult<User>>> none =
                session.Advanced.Lazily.ConditionalLoadAsync<User>("users/none", known);
            Assert.Equal(new ConditionalLoadResult<User>(null, known), await same.Value);
            Assert.Equal(new ConditionalLoadResult<User>(null, null), await none.Value);
            Lazy<Task<ConditionalLoadResult<User>>> changed =
                session.Advanced.Lazily.ConditionalLoadAsync<User>("users/a", Other);
            Assert.Equal(("A", known), ((await changed.Value).Entity!.Name, (await changed.Value).ChangeVector));
            Assert.Equal(2, session.Advanced.NumberOfRequests);
        }

        using (IDocumentSession session = store.OpenSession())
        {
            User user = session.Advanced.Lazily.ConditionalLoad<User>("users/a", Other).Value.Entity!;
            Assert.Same(user, session.Advanced.Lazily.ConditionalLoad<User>("users/a", known).Value.Entity);
            Assert.Equal(1, session.Advanced.NumberOfRequests);
        }
    }

    [Fact]
    public async Task Counters_are_saved_with_documents_and_read_once()
    {
        using DocumentStore store = fixture.NewStore();
        using (IAsyncDocumentSession session = store.OpenAsyncSession())
        {
            await session.StoreAsync(new User(), "users/a");
            session.CountersFor("users/a").Increment("likes", 5);
            session.CountersFor("users/a").Increment("likes", 2);
            session.CountersFor("users/a").Increment("views");
            await session.SaveChangesAsync();
            Assert.Equal(1, session.Advanced.NumberOfRequests);
        }

        using (IAsyncDocumentSession session = store.OpenAsyncSession())
        {
            IAsyncSessionDocumentCounters counters = session.CountersFor("users/a");
            Dictionary<string, long?> read = await counters.GetAsync(["likes", "views", "none"]);
            Assert.Equal((7, 1, null), (read["likes"], read["views"], read["none"]));
            Assert.Equal(7, await counters.GetAsync("LIKES"));
            Assert.Equal(1, session.Advanced.NumberOfRequests);
            counters.Delete("views");
            counters.Increment("likes", -1);
            await session.SaveChangesAsync();
            Assert.Equal(6, await counters.GetAsync("likes"));
            Assert.Null(await counters.GetAsync("views"));
            Assert.Equal(2, session.Advanced.NumberOfRequests);
            Dictionary<string, long?> all = await counters.GetAllAsync();
            Assert.Equal(["likes"], all.Keys);
        }

        using (IAsyncDocumentSession session = store.OpenAsyncSession())
        {
            User? user = await session.LoadAsync<User>("users/a", includes => includes.IncludeCounters("likes"));
            Assert.Equal(6, await session.CountersFor(user!).GetAsync("likes"));
            Assert.Equal(1, session.Advanced.NumberOfRequests);
        }
    }

    [Fact]
    public async Task Attachments_are_saved_with_documents()
    {
        using DocumentStore store = fixture.NewStore();
        using (IAsyncDocumentSession session = store.OpenAsyncSession())
        {
            await session.StoreAsync(new User(), "users/a");
            session.Advanced.Attachments.Store("users/a", "one.txt", Bytes("first"), "text/plain");
            session.Advanced.Attachments.Store("users/a", "two.txt", Bytes("second"));
            await session.SaveChangesAsync();
        }

        using (IAsyncDocumentSession session = store.OpenAsyncSession())
        {
            User user = (await session.LoadAsync<User>("users/a"))!;
            Assert.Equal(
                ["one.txt", "two.txt"], session.Advanced.Attachments.GetNames(user).Select(it => it.Name).Order());
            using AttachmentResult one = (await session.Advanced.Attachments.GetAsync(user, "one.txt"))!;
            Assert.Equal(("text/plain", 5L), (one.Details.ContentType, one.Details.Size));
            Assert.Equal("first", await new StreamReader(one.Stream).ReadToEndAsync());
            Assert.Null(await session.Advanced.Attachments.GetAsync(user, "none"));
            session.Advanced.Attachments.Delete(user, "two.txt");
            session.Advanced.Attachments.Rename("users/a", "one.txt", "renamed.txt");
            await session.SaveChangesAsync();
            Assert.False(await session.Advanced.Attachments.ExistsAsync("users/a", "two.txt"));
            Assert.True(await session.Advanced.Attachments.ExistsAsync("users/a", "renamed.txt"));
        }

        AttachmentDetails? put = await store.Operations.SendAsync(
            new PutAttachmentOperation("users/a", "three.bin", Bytes("third"), "x/y"));
        Assert.Equal(5, put!.Size);
        using AttachmentResult? third = await store.Operations.SendAsync(
            new GetAttachmentOperation("users/a", "three.bin"));
        Assert.Equal(put.Hash, third!.Details.Hash);
        await store.Operations.SendAsync(new DeleteAttachmentOperation("users/a", "three.bin"));
        Assert.Null(await store.Operations.SendAsync(new GetAttachmentOperation("users/a", "three.bin")));
    }

    [Fact]
    public async Task Revisions_of_a_document_are_read_newest_first()
    {
        using DocumentStore store = fixture.NewStore();
        await store.Maintenance.SendAsync(new ConfigureRevisionsOperation(new RevisionsConfiguration
        {
            Default = new RevisionsCollectionConfiguration { MinimumRevisionsToKeep = 5 },
        }));
        for (int i = 1; i <= 3; i++)
        {
            using IAsyncDocumentSession session = store.OpenAsyncSession();
            User? user = await session.LoadAsync<User>("users/a");
            if (user is null)
            {
                await session.StoreAsync(user = new User(), "users/a");
            }

            user.Age = i;
            await session.SaveChangesAsync();
        }

        using IAsyncDocumentSession reader = store.OpenAsyncSession();
        List<User> all = await reader.Advanced.Revisions.GetForAsync<User>("users/a");
        Assert.Equal([3, 2, 1], all.Select(user => user.Age));
        Assert.Equal(3, await reader.Advanced.Revisions.GetCountForAsync("users/a"));
        List<IMetadataDictionary> metadata = await reader.Advanced.Revisions.GetMetadataForAsync("users/a", start: 1);
        User? second = await reader.Advanced.Revisions.GetAsync<User>(metadata[0].GetString("@change-vector")!);
        Assert.Equal(2, second!.Age);
        User? newest = await reader.Advanced.Revisions.GetAsync<User>("users/a", DateTime.UtcNow);
        Assert.Equal(3, newest!.Age);
        Assert.False(reader.Advanced.HasChanges);
    }

    [Fact]
    public async Task A_session_can_force_a_revision()
    {
        using DocumentStore store = fixture.NewStore();
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        var user = new User { Age = 1 };
        await session.StoreAsync(user, "users/a");
        await session.SaveChangesAsync();
        session.Advanced.Revisions.ForceRevisionCreationFor(user);
        await session.SaveChangesAsync();
        Assert.Equal(1, await session.Advanced.Revisions.GetCountForAsync("users/a"));
    }

    [Fact]
    public async Task Of_two_compare_exchange_puts_with_the_same_index_only_the_first_succeeds()
    {
        using DocumentStore store = fixture.NewStore();
        CompareExchangeResult<User>? first = await store.Operations.SendAsync(
            new PutCompareExchangeValueOperation<User>("lock", new User { Name = "A" }, 0));
        CompareExchangeResult<User>? second = await store.Operations.SendAsync(
            new PutCompareExchangeValueOperation<User>("lock", new User { Name = "B" }, 0));
        Assert.True(first!.Successful);
        Assert.False(second!.Successful);
        Assert.Equal("A", second.Value!.Name);
        CompareExchangeValue<User>? read =
            await store.Operations.SendAsync(new GetCompareExchangeValueOperation<User>("lock"));
        Assert.Equal((first.Index, "A"), (read!.Index, read.Value!.Name));
        Assert.Null(await store.Operations.SendAsync(new GetCompareExchangeValueOperation<User>("none")));
        Assert.Equal(
            ["lock"], (await store.Operations.SendAsync(new GetCompareExchangeValuesOperation<User>("lo")))!.Keys);
        CompareExchangeResult<User>? deleted =
            await store.Operations.SendAsync(new DeleteCompareExchangeValueOperation<User>("lock", read.Index));
        Assert.True(deleted!.Successful);
    }

    [Fact]
    public async Task A_cluster_wide_save_stores_documents_and_compare_exchange_values_together()
    {
        using DocumentStore store = fixture.NewStore();
        var options = new SessionOptions { TransactionMode = TransactionMode.ClusterWide };
        using (IAsyncDocumentSession session = store.OpenAsyncSession(options))
        {
            await session.StoreAsync(new User { Name = "A" }, "users/a");
            session.Advanced.ClusterTransaction.CreateCompareExchangeValue("emails/a", "users/a");
            await session.SaveChangesAsync();
        }

        using (IAsyncDocumentSession session = store.OpenAsyncSession(options))
        {
            CompareExchangeValue<string>? value =
                await session.Advanced.ClusterTransaction.GetCompareExchangeValueAsync<string>("emails/a");
            Assert.Equal("users/a", value!.Value);
            await session.StoreAsync(new User { Name = "B" }, "users/b");
            session.Advanced.ClusterTransaction.CreateCompareExchangeValue("emails/a", "users/b");
            await Assert.ThrowsAsync<ClusterTransactionConcurrencyException>(() => session.SaveChangesAsync());
            Assert.False(await store.OpenAsyncSession().Advanced.ExistsAsync("users/b"));
        }

        using IAsyncDocumentSession single = store.OpenAsyncSession();
        Assert.Throws<InvalidOperationException>(() =>
            single.Advanced.ClusterTransaction.CreateCompareExchangeValue("x", 1));
    }

    [Fact]
    public async Task Included_compare_exchange_values_need_no_request()
    {
        using DocumentStore store = fixture.NewStore();
        var options = new SessionOptions { TransactionMode = TransactionMode.ClusterWide };
        using (IAsyncDocumentSession session = store.OpenAsyncSession(options))
        {
            await session.StoreAsync(new User { Name = "emails/a", Tags = ["emails/b", "emails/none"] }, "users/a");
            session.Advanced.ClusterTransaction.CreateCompareExchangeValue("emails/a", "A");
            session.Advanced.ClusterTransaction.CreateCompareExchangeValue("emails/b", "B");
            await session.SaveChangesAsync();
        }

        await AskAsync(session => session.LoadAsync<User>("users/a", Both));
        await AskAsync(session => session.LoadAsync<User>(
            "users/a", it => it.IncludeCompareExchangeValue("Name").IncludeCompareExchangeValue("Tags")));
        await AskAsync(session => session.Query<User>().Include(Both).ToListAsync());
        await AskAsync(session => session.Query<User>().Where(it => it.Age == 0).Include(Both)
            .Select(it => new { it.Age }).ToListAsync());
        await AskAsync(session => session.Advanced.AsyncDocumentQuery<User>().Include(Both).ToListAsync());
        await AskAsync(session => session.Query<User>().Include(Both).LazilyAsync().Value);
        await AskAsync(session => session.Advanced.AsyncRawQuery<User>(
            "from Users as u include cmpxchg(u.Name), cmpxchg(u.Tags)").ToListAsync());

        async Task AskAsync(Func<IAsyncDocumentSession, Task> ask)
        {
            using IAsyncDocumentSession session = store.OpenAsyncSession(options);
            IAsyncClusterTransactionOperations values = session.Advanced.ClusterTransaction;
            await ask(session);
            CompareExchangeValue<string>? first = await values.GetCompareExchangeValueAsync<string>("emails/a");
            Assert.Equal("A", first!.Value);
            Assert.Equal("B", (await values.GetCompareExchangeValueAsync<string>("emails/b"))!.Value);
            Assert.Null(await values.GetCompareExchangeValueAsync<string>("emails/none"));
            Assert.Equal(1, session.Advanced.NumberOfRequests);
            values.UpdateCompareExchangeValue(first);
            await session.SaveChangesAsync();
            long index = (await values.GetCompareExchangeValueAsync<string>("emails/a"))!.Index;
            Assert.True(index > first.Index);
            Assert.Equal(3, session.Advanced.NumberOfRequests);
        }

        static void Both(IIncludeBuilder<User> it) =>
            it.IncludeCompareExchangeValue(u => u.Name).IncludeCompareExchangeValue(u => u.Tags);
    }

    [Fact]
    public async Task A_compare_exchange_value_included_before_its_save_does_not_replace_the_saved_one()
    {
        using DocumentStore store = fixture.NewStore();
        using IAsyncDocumentSession session = store.OpenAsyncSession(
            new SessionOptions { TransactionMode = TransactionMode.ClusterWide });
        IAsyncClusterTransactionOperations values = session.Advanced.ClusterTransaction;
        await session.StoreAsync(new User { Name = "emails/a" }, "users/a");
        await session.SaveChangesAsync();
        values.CreateCompareExchangeValue("emails/a", "A");
        await session.Query<User>().Include(it => it.IncludeCompareExchangeValue(u => u.Name)).ToListAsync();
        await session.SaveChangesAsync();
        Assert.Equal("A", (await values.GetCompareExchangeValueAsync<string>("emails/a"))!.Value);
    }

    [Fact]
    public async Task A_patch_operation_changes_one_document_and_returns_its_status()
    {
        using DocumentStore store = fixture.NewStore();
        using (IAsyncDocumentSession session = store.OpenAsyncSession())
        {
            await session.StoreAsync(new User { Age = 1 }, "users/a");
            await session.SaveChangesAsync();
        }

        var add = new PatchRequest { Script = "this.Age += args.by", Values = { ["by"] = 4 } };
        PatchResult? done = await store.Operations.SendAsync(new PatchOperation("users/a", null, add));
        Assert.Equal(PatchStatus.Patched, done!.Status);
        Assert.Equal(5, done.ModifiedDocument!.Value.GetProperty("Age").GetInt32());
        PatchResult? none = await store.Operations.SendAsync(new PatchOperation("users/none", null, add));
        Assert.Equal(PatchStatus.DocumentDoesNotExist, none!.Status);
        await Assert.ThrowsAsync<JavaScriptException>(() => store.Operations.SendAsync(
            new PatchOperation("users/a", null, new PatchRequest { Script = "this is no script" })));
    }

    [Fact]
    public async Task Databases_are_created_listed_and_deleted_by_operations()
    {
        using DocumentStore store = fixture.NewStore();
        await store.Maintenance.Server.SendAsync(new CreateDatabaseOperation(new DatabaseRecord("other")));
        await Assert.ThrowsAsync<Raven.Client.Exceptions.ConcurrencyException>(() =>
            store.Maintenance.Server.SendAsync(new CreateDatabaseOperation(new DatabaseRecord("other"))));
        Assert.Contains("other", (await store.Maintenance.Server.SendAsync(new GetDatabaseNamesOperation(0, 100)))!);
        Assert.Equal(
            "other",
            (await store.Maintenance.Server.SendAsync(new GetDatabaseRecordOperation("other")))!.DatabaseName);
        await store.Maintenance.Server.SendAsync(new DeleteDatabasesOperation("other", hardDelete: true));
        Assert.Null(await store.Maintenance.Server.SendAsync(new GetDatabaseRecordOperation("other")));
        BuildNumber? build = await store.Maintenance.Server.SendAsync(new GetBuildNumberOperation());
        Assert.NotEqual("", build!.ProductVersion);
    }

    [Fact]
    public async Task Operations_read_the_statistics_and_identities_of_a_database()
    {
        using DocumentStore store = fixture.NewStore();
        using (IAsyncDocumentSession session = store.OpenAsyncSession())
        {
            await session.StoreAsync(new User(), "users/a");
            await session.StoreAsync(new Order(), "orders/a");
            await session.SaveChangesAsync();
        }

        DatabaseStatistics? statistics = await store.Maintenance.SendAsync(new GetStatisticsOperation());
        Assert.Equal(2, statistics!.CountOfDocuments);
        CollectionStatistics? collections = await store.Maintenance.SendAsync(new GetCollectionStatisticsOperation());
        Assert.Equal(1, collections!.Collections["Orders"]);
        Assert.Equal(1, await store.Maintenance.SendAsync(new NextIdentityForOperation("invoices")));
        Assert.Equal(50, await store.Maintenance.SendAsync(new SeedIdentityForOperation("invoices", 50)));
        Assert.Equal(51, await store.Maintenance.SendAsync(new NextIdentityForOperation("invoices")));
        await store.Maintenance.SendAsync(new ConfigureExpirationOperation(new ExpirationConfiguration()));
    }

    private static MemoryStream Bytes(string text) => new(Encoding.UTF8.GetBytes(text));
}
