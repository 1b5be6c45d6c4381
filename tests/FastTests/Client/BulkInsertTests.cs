using System.Globalization;
using Raven.Client.Documents;
using Raven.Client.Documents.BulkInsert;
using Raven.Client.Documents.Operations;
using Raven.Client.Documents.Operations.Attachments;
using Raven.Client.Documents.Session;
using Raven.Client.Exceptions.Documents.BulkInsert;
using Raven.Client.ServerWide.Operations;

namespace FastTests.Client;

/// <summary>Many documents through one request.</summary>
public sealed class BulkInsertTests(ClientFixture fixture) : IClassFixture<ClientFixture>
{
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task The_documents_of_a_bulk_insert_are_stored_when_it_is_disposed(bool isCompressed)
    {
        using DocumentStore store = fixture.NewStore();
        List<long> told = [];
        await using (BulkInsertOperation bulk =
            store.BulkInsert(options: new BulkInsertOptions { UseCompression = isCompressed }))
        {
            bulk.OnProgress += (_, progress) => told.Add(progress.DocumentsProcessed);
            for (int i = 0; i < 2500; i++)
            {
                string id = await bulk.StoreAsync(new User { Name = new string('x', 500), Age = i });
                Assert.StartsWith("users/", id, StringComparison.Ordinal);
            }

            await bulk.CountersFor("users/1-A").IncrementAsync("likes", 3);
            await bulk.AttachmentsFor("users/1-A").StoreAsync("a.txt", new MemoryStream("bytes"u8.ToArray()));
            await bulk.StoreAsync(new User { Name = "last" }, "users/last");
        }

        Assert.Equal([1000, 2000, 2501], told);
        CollectionStatistics? statistics = await store.Maintenance.SendAsync(new GetCollectionStatisticsOperation());
        Assert.Equal(2501, statistics!.Collections["Users"]);
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        Assert.Equal("last", (await session.LoadAsync<User>("users/last"))!.Name);
        Assert.Equal(3, await session.CountersFor("users/1-A").GetAsync("likes"));
        using AttachmentResult? attachment = await session.Advanced.Attachments.GetAsync("users/1-A", "a.txt");
        Assert.Equal("bytes", await new StreamReader(attachment!.Stream).ReadToEndAsync());
    }

    [Fact]
    public async Task A_bulk_insert_without_documents_sends_no_request()
    {
        using DocumentStore store = fixture.NewStore();
        int requests = 0;
        store.OnBeforeRequest += (_, _) => requests++;
        await using (store.BulkInsert())
        {
        }

        Assert.Equal(0, requests);
    }

    [Fact]
    public async Task A_document_that_the_server_refuses_ends_the_bulk_insert_with_its_exception()
    {
        using DocumentStore store = fixture.NewStore();
        BulkInsertAbortedException aborted = await Assert.ThrowsAsync<BulkInsertAbortedException>(async () =>
        {
            await using BulkInsertOperation bulk = store.BulkInsert();
            await bulk.StoreAsync(new User(), "users/a");
            await bulk.StoreAsync(new User(), new string('x', 5000));
            for (int i = 0; i < 100_000; i++)
            {
                await bulk.StoreAsync(new User { Name = new string('x', 1000) }, "users/b");
            }
        });
        Assert.NotNull(aborted.InnerException);
        Assert.Contains("id", aborted.InnerException.Message, StringComparison.OrdinalIgnoreCase);
    }

    [Fact]
    public async Task A_bulk_insert_whose_database_is_deleted_ends_with_an_exception()
    {
        using DocumentStore store = fixture.NewStore();
        await Assert.ThrowsAsync<BulkInsertAbortedException>(async () =>
        {
            await using BulkInsertOperation bulk = store.BulkInsert();
            for (int i = 0; i < 100_000; i++)
            {
                await bulk.StoreAsync(
                    new User { Name = new string('x', 1000) }, i.ToString(CultureInfo.InvariantCulture));
                if (i == 500)
                {
                    await store.Maintenance.Server.SendAsync(
                        new DeleteDatabasesOperation(store.Database!, hardDelete: true));
                }
            }
        });
    }

    [Fact]
    public async Task An_aborted_bulk_insert_sends_no_more_documents()
    {
        using DocumentStore store = fixture.NewStore();
        BulkInsertOperation bulk = store.BulkInsert();
        await bulk.StoreAsync(new User(), "users/a");
        await bulk.AbortAsync();
        await Assert.ThrowsAsync<ObjectDisposedException>(async () => await bulk.StoreAsync(new User(), "users/b"));
        await bulk.DisposeAsync();
        Assert.False(await store.OpenAsyncSession().Advanced.ExistsAsync("users/b"));
    }
}
