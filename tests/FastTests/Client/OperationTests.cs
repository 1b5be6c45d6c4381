using System.Text.Json;
using FastTests.Support;
using Raven.Client.Documents;
using Raven.Client.Documents.Commands.Batches;
using Raven.Client.Documents.Conventions;
using Raven.Client.Documents.Indexes;
using Raven.Client.Documents.Linq;
using Raven.Client.Documents.Operations;
using Raven.Client.Documents.Operations.Attachments;
using Raven.Client.Documents.Operations.CompareExchange;
using Raven.Client.Documents.Operations.Configuration;
using Raven.Client.Documents.Operations.Counters;
using Raven.Client.Documents.Operations.Expiration;
using Raven.Client.Documents.Operations.Identities;
using Raven.Client.Documents.Operations.Indexes;
using Raven.Client.Documents.Operations.Refresh;
using Raven.Client.Documents.Operations.Revisions;
using Raven.Client.Documents.Session;
using Raven.Client.Exceptions;
using Raven.Client.Exceptions.Database;
using Raven.Client.Exceptions.Documents.Indexes;
using Raven.Client.Http;
using Raven.Client.ServerWide;
using Raven.Client.ServerWide.Operations;

namespace FastTests.Client;

/// <summary>Each operation against the real server.</summary>
public sealed class OperationTests(ClientFixture fixture) : IClassFixture<ClientFixture>
{
    [Fact]
    public async Task Operations_read_pause_lock_and_reset_indexes()
    {
        using DocumentStore store = fixture.NewStore();
        MaintenanceOperationExecutor to = store.Maintenance;
        var definition = new IndexDefinition
        {
            Name = "Users/ByName",
            Maps = { "map('Users', user => ({ Name: user.Name, Half: half(user.Age) }))" },
            AdditionalSources = { ["half"] = "function half(age) { if (age > 90) throw 'too old'; return age / 2; }" },
            Fields = { ["Name"] = new IndexFieldOptions { Storage = FieldStorage.Yes } },
        };
        Assert.True(await to.SendAsync(new IndexHasChangedOperation(definition)));
        await to.SendAsync(new PutIndexesOperation(definition));
        Assert.False(await to.SendAsync(new IndexHasChangedOperation(definition)));
        await StoreAsync(store, new User { Name = "Ann", Age = 30 }, new User { Name = "Bob", Age = 99 });
        await store.OpenAsyncSession().Advanced.AsyncRawQuery<User>("from index 'Users/ByName'")
            .WaitForNonStaleResults().ToListAsync();
        IndexDefinition got = (await to.SendAsync(new GetIndexOperation("Users/ByName")))!;
        Assert.Equal(definition.Maps, got.Maps);
        Assert.Equal(FieldStorage.Yes, got.Fields["Name"].Storage);
        Assert.Null(await to.SendAsync(new GetIndexOperation("none")));
        Assert.Equal("Users/ByName", Assert.Single((await to.SendAsync(new GetIndexesOperation(0, 9)))!).Name);
        Assert.Equal(["ann"], (await to.SendAsync(new GetTermsOperation("Users/ByName", "Name")))!);
        Assert.Empty((await to.SendAsync(new GetTermsOperation("Users/ByName", "Name", "ann", 5)))!);
        IndexErrors errors = Assert.Single((await to.SendAsync(new GetIndexErrorsOperation("Users/ByName")))!);
        IndexingError error = Assert.Single(errors.Errors);
        Assert.Contains("too old", error.Error, StringComparison.Ordinal);
        Assert.Contains("users/", error.Document, StringComparison.OrdinalIgnoreCase);
        IndexStats stats = (await to.SendAsync(new GetIndexStatisticsOperation("Users/ByName")))!;
        Assert.Equal((2L, 1L, 1L), (stats.MapAttempts, stats.MapSuccesses, stats.MapErrors));
        Assert.Equal((IndexState.Normal, "Running", false), (stats.State, stats.Status, stats.IsStale));
        Assert.Equal(0, stats.Collections["Users"].DocumentLag);
        await Assert.ThrowsAsync<IndexDoesNotExistException>(
            () => to.SendAsync(new GetIndexStatisticsOperation("none")));
        Assert.Single((await to.SendAsync(new GetIndexesStatisticsOperation()))!);
        Assert.Equal(1, Assert.Single(
            (await to.SendAsync(new GetIndexPerformanceStatisticsOperation("Users/ByName")))!).Entries);
        await to.SendAsync(new DeleteIndexErrorsOperation("Users/ByName"));
        Assert.Empty((await to.SendAsync(new GetIndexErrorsOperation()))![0].Errors);
        await PauseAsync(store);
        await to.SendAsync(new SetIndexesPriorityOperation(IndexPriority.High, "Users/ByName"));
        await to.SendAsync(new SetIndexesLockOperation(IndexLockMode.LockedIgnore, "Users/ByName"));
        got = (await to.SendAsync(new GetIndexOperation("Users/ByName")))!;
        Assert.Equal((IndexPriority.High, IndexLockMode.LockedIgnore), (got.Priority, got.LockMode));
        Assert.True(await to.SendAsync(new ResetIndexOperation("Users/ByName")));
        await Assert.ThrowsAsync<IndexDoesNotExistException>(() => to.SendAsync(new ResetIndexOperation("none")));
        Assert.True(await to.SendAsync(new DeleteIndexOperation("Users/ByName")));
    }

    [Fact]
    public async Task An_operation_by_query_reports_its_progress_and_its_failure()
    {
        using DocumentStore store = fixture.NewStore();
        await StoreAsync(store, new User { Age = 1 }, new User { Age = 2 }, new User { Age = 3 });
        Operation patch = await store.Operations.SendAsync(
            new PatchByQueryOperation("from Users update { this.Name = 'x' }"));
        List<OperationState> told = [];
        patch.OnProgressChanged += (_, state) => told.Add(state);
        JsonElement? result = await patch.WaitForCompletionAsync(Deadline.Hang);
        Assert.Equal(OperationStatus.Completed, told[^1].Status);
        Assert.Equal(3, result!.Value.GetProperty("Total").GetInt64());
        Assert.Equal(OperationStatus.Completed, (await patch.GetStateAsync())!.Status);
        Assert.Equal(
            OperationStatus.Completed,
            (await store.Maintenance.SendAsync(new GetOperationStateOperation(patch.Id)))!.Status);
        Assert.Null(await store.Maintenance.SendAsync(new GetOperationStateOperation(1 << 30)));
        await patch.KillAsync();
        Assert.True(await store.Maintenance.SendAsync(new GetNextOperationIdOperation()) > patch.Id);
        RavenException none = await Assert.ThrowsAnyAsync<RavenException>(
            () => store.Maintenance.SendAsync(new KillOperationOperation(1 << 30)));
        Assert.Contains("There is no operation", none.Message, StringComparison.Ordinal);
        Operation wrong = await store.Operations.SendAsync(
            new PatchByQueryOperation("from Users update { throw 'no'; }"));
        await Assert.ThrowsAnyAsync<RavenException>(() => wrong.WaitForCompletionAsync(Deadline.Hang));
        Operation delete = store.Operations.Send(new DeleteByQueryOperation("from Users where Age > 1"));
        delete.WaitForCompletion(Deadline.Hang);
        Assert.Equal(1, store.Maintenance.Send(new GetCollectionStatisticsOperation())!.Collections["Users"]);
    }

    [Fact]
    public async Task A_running_operation_reports_its_progress_and_ends_when_it_is_killed()
    {
        using DocumentStore store = fixture.NewStore();
        await StoreAsync(store, [.. Enumerable.Range(0, 200).Select(i => new User { Id = $"users/{i}" })]);
        Operation patch = await store.Operations.SendAsync(new SlowPatch("from Users update { this.Age = 1 }"));
        List<(OperationStatus, long, long)> told = [];
        Task? killing = null;
        patch.OnProgressChanged += (_, state) =>
        {
            JsonElement progress = state.Progress!.Value;
            told.Add((
                state.Status, progress.GetProperty("Processed").GetInt64(), progress.GetProperty("Total").GetInt64()));
            if (told[^1].Item2 > 0)
            {
                killing ??= patch.KillAsync();
            }
        };
        await Assert.ThrowsAsync<OperationCanceledException>(
            () => patch.WaitForCompletionAsync(Deadline.Hang));
        await killing!;
        Assert.Contains((OperationStatus.InProgress, 1, 200), told);
        Assert.Equal(OperationStatus.Canceled, told[^1].Item1);
    }

    [Fact]
    public async Task Operations_read_and_write_counters_attachments_identities_and_compare_exchange_values()
    {
        using DocumentStore store = fixture.NewStore();
        await StoreAsync(store, new User { Id = "users/1" });
        Dictionary<string, Dictionary<string, long?>> counted = (await store.Operations.SendAsync(
            new CounterBatchOperation(new CountersBatchCommandData("users/1").Increment("a", 2).Increment("b"))))!;
        Assert.Equal(2, counted["users/1"]["a"]);
        Assert.Equal(1, (await store.Operations.SendAsync(new GetCountersOperation("users/1", "b")))!["b"]);
        Assert.Equal(2, (await store.Operations.SendAsync(new GetCountersOperation("users/1")))!.Count);
        await store.Operations.SendAsync(new PutAttachmentOperation(
            "users/1", "note", new MemoryStream("hello"u8.ToArray()), "text/plain"));
        foreach (GetAttachmentOperation get in new GetAttachmentOperation[]
        {
            new("users/1", "note"), new("users/1", "note", AttachmentType.Document, changeVector: null),
        })
        {
            using AttachmentResult note = (await store.Operations.SendAsync(get))!;
            Assert.Equal("hello", await new StreamReader(note.Stream).ReadToEndAsync());
        }

        await store.Operations.SendAsync(new DeleteAttachmentOperation("users/1", "note"));
        Assert.Null(await store.Operations.SendAsync(new GetAttachmentOperation("users/1", "note")));
        Assert.Equal(7, await store.Maintenance.SendAsync(new SeedIdentityForOperation("orders", 7)));
        Assert.Equal(8, await store.Maintenance.SendAsync(new NextIdentityForOperation("orders")));
        Assert.Equal(8, (await store.Maintenance.SendAsync(new GetIdentitiesOperation()))!.Single().Value);
        CompareExchangeResult<string> first = (await store.Operations.SendAsync(
            new PutCompareExchangeValueOperation<string>("key", "one", 0)))!;
        Assert.True(first.Successful);
        Assert.False((await store.Operations.SendAsync(
            new PutCompareExchangeValueOperation<string>("key", "two", 0)))!.Successful);
        Assert.Equal("one", (await store.Operations.SendAsync(
            new GetCompareExchangeValueOperation<string>("key")))!.Value);
        Assert.Single((await store.Operations.SendAsync(new GetCompareExchangeValuesOperation<string>("k")))!);
        Assert.True((await store.Operations.SendAsync(
            new DeleteCompareExchangeValueOperation<string>("key", first.Index)))!.Successful);
        DetailedDatabaseStatistics detailed =
            (await store.Maintenance.SendAsync(new GetDetailedStatisticsOperation()))!;
        Assert.Equal((1L, 1L, 0L), (detailed.CountOfDocuments, detailed.CountOfIdentities,
            detailed.CountOfCompareExchange));
        Assert.Equal(1, (await store.Maintenance.SendAsync(new GetEssentialStatisticsOperation()))!.CountOfDocuments);
        Assert.Equal(1, (await store.Maintenance.SendAsync(new GetStatisticsOperation()))!.CountOfDocuments);
    }

    [Fact]
    public async Task Operations_write_configurations_and_read_them_back()
    {
        using DocumentStore store = fixture.NewStore();
        MaintenanceOperationExecutor to = store.Maintenance;
        Assert.Null(await to.SendAsync(new GetRevisionsConfigurationOperation()));
        await to.SendAsync(new ConfigureRevisionsOperation(
            new RevisionsConfiguration { Default = new() { MinimumRevisionsToKeep = 5 } }));
        Assert.Equal(5, (await to.SendAsync(new GetRevisionsConfigurationOperation()))!
            .Default!.MinimumRevisionsToKeep);
        await to.SendAsync(new ConfigureExpirationOperation(new ExpirationConfiguration
        {
            DeleteFrequencyInSec = 77,
        }));
        Assert.Equal(77, (await to.SendAsync(new GetExpirationConfigurationOperation()))!.DeleteFrequencyInSec);
        await to.SendAsync(new ConfigureRefreshOperation(new RefreshConfiguration { RefreshFrequencyInSec = 78 }));
        Assert.Equal(78, (await to.SendAsync(new GetRefreshConfigurationOperation()))!.RefreshFrequencyInSec);
        Assert.Null(await to.SendAsync(new GetClientConfigurationOperation()));
        await to.SendAsync(new PutClientConfigurationOperation(new ClientConfiguration
        {
            MaxNumberOfRequestsPerSession = 9, ReadBalanceBehavior = ReadBalanceBehavior.RoundRobin,
        }));
        ClientConfiguration told = (await to.SendAsync(new GetClientConfigurationOperation()))!;
        Assert.Equal((9, ReadBalanceBehavior.RoundRobin),
            (told.MaxNumberOfRequestsPerSession, told.ReadBalanceBehavior));
        await to.SendAsync(new PutClientConfigurationOperation(new ClientConfiguration
        {
            ReadBalanceBehavior = ReadBalanceBehavior.FastestNode,
            LoadBalanceBehavior = LoadBalanceBehavior.UseSessionContext, LoadBalancerContextSeed = 3,
        }));
        told = (await to.SendAsync(new GetClientConfigurationOperation()))!;
        Assert.Equal((ReadBalanceBehavior.FastestNode, LoadBalanceBehavior.UseSessionContext, 3),
            (told.ReadBalanceBehavior, told.LoadBalanceBehavior, told.LoadBalancerContextSeed));
        await to.Server.SendAsync(new PutServerWideClientConfigurationOperation(
            new ClientConfiguration { MaxNumberOfRequestsPerSession = 90 }));
        Assert.Equal(90, (await to.Server.SendAsync(new GetServerWideClientConfigurationOperation()))!
            .MaxNumberOfRequestsPerSession);
        await to.SendAsync(new PutDatabaseSettingsOperation(new() { ["Indexing.Key"] = "v" }));
        Assert.Equal("v", (await to.Server.SendAsync(new GetDatabaseRecordOperation(store.Database!)))!
            .Settings["Indexing.Key"]);
        await to.Server.SendAsync(new PutServerWideClientConfigurationOperation(new() { Disabled = true }));
    }

    [Fact]
    public async Task Operations_revert_enforce_count_and_delete_revisions()
    {
        using DocumentStore store = fixture.NewStore();
        await store.Maintenance.SendAsync(new ConfigureRevisionsOperation(
            new RevisionsConfiguration { Default = new() }));
        await StoreAsync(store, new User { Id = "users/1", Name = "old" });
        DateTime between = await Deadline.TimeBetweenAsync();
        using (IAsyncDocumentSession session = store.OpenAsyncSession())
        {
            (await session.LoadAsync<User>("users/1"))!.Name = "new";
            await session.SaveChangesAsync();
        }

        Assert.Equal(2, await store.Operations.SendAsync(new GetRevisionsCountOperation("users/1")));
        Operation revert = await store.Operations.SendAsync(new RevertRevisionsOperation(between, "Users"));
        await revert.WaitForCompletionAsync(Deadline.Hang);
        using (IAsyncDocumentSession session = store.OpenAsyncSession())
        {
            Assert.Equal("old", (await session.LoadAsync<User>("users/1"))!.Name);
        }

        await store.Maintenance.SendAsync(new ConfigureRevisionsOperation(
            new RevisionsConfiguration { Default = new() { MinimumRevisionsToKeep = 1 } }));
        Operation enforce = await store.Operations.SendAsync(new EnforceRevisionsConfigurationOperation());
        await enforce.WaitForCompletionAsync(Deadline.Hang);
        Assert.Equal(1, await store.Operations.SendAsync(new GetRevisionsCountOperation("users/1")));
        await store.Maintenance.SendAsync(new DeleteRevisionsOperation("users/1"));
        Assert.Equal(0, await store.Operations.SendAsync(new GetRevisionsCountOperation("users/1")));
    }

    [Fact]
    public async Task Operations_close_lock_compact_and_list_databases()
    {
        using DocumentStore store = fixture.NewStore();
        ServerOperationExecutor to = store.Maintenance.Server;
        await StoreAsync(store, new User { Id = "users/1" });
        Operation compact = await to.SendAsync(new CompactDatabaseOperation(store.Database!));
        await compact.WaitForCompletionAsync(Deadline.Hang);
        Assert.Equal(
            [store.Database!], (await to.SendAsync(new ToggleDatabasesStateOperation([store.Database!], true)))!);
        using (IAsyncDocumentSession session = store.OpenAsyncSession())
        {
            await Assert.ThrowsAsync<DatabaseDisabledException>(() => session.LoadAsync<User>("users/1"));
        }

        Assert.Equal([store.Database!], (await to.SendAsync(
            new ToggleDatabasesStateOperation([store.Database!, "none"], false)))!);
        await to.SendAsync(new SetDatabasesLockOperation(DatabaseLockMode.PreventDeletesError, store.Database!));
        await Assert.ThrowsAnyAsync<RavenException>(
            () => to.SendAsync(new DeleteDatabasesOperation(store.Database!, hardDelete: true)));
        await to.SendAsync(new SetDatabasesLockOperation(DatabaseLockMode.Unlock, store.Database!));
        Assert.Contains(store.Database!, (await to.SendAsync(new GetDatabaseNamesOperation(0, 1000)))!);
        Assert.NotNull((await to.SendAsync(new GetBuildNumberOperation()))!.ProductVersion);
        await to.SendAsync(new DeleteDatabasesOperation(store.Database!, hardDelete: true));
        Assert.Null(await to.SendAsync(new GetDatabaseRecordOperation(store.Database!)));
    }

    private static async Task PauseAsync(DocumentStore store)
    {
        MaintenanceOperationExecutor to = store.Maintenance;
        await to.SendAsync(new StopIndexOperation("Users/ByName"));
        await StoreAsync(store, new User { Name = "Cid" });
        IndexStaleness staleness = (await to.SendAsync(new GetIndexStalenessOperation("Users/ByName")))!;
        Assert.True(staleness.IsStale);
        Assert.NotEmpty(staleness.StalenessReasons);
        Assert.Equal("Paused", (await to.SendAsync(new GetIndexingStatusOperation()))!.Indexes[0].Status);
        await Assert.ThrowsAsync<RavenTimeoutException>(() => store.OpenAsyncSession().Query<User>("Users/ByName")
            .Customize(how => how.WaitForNonStaleResults(TimeSpan.FromMilliseconds(50))).ToListAsync(default));
        await to.SendAsync(new StartIndexOperation("Users/ByName"));
        await to.SendAsync(new StopIndexingOperation());
        Assert.Equal("Paused", (await to.SendAsync(new GetIndexingStatusOperation()))!.Status);
        await to.SendAsync(new StartIndexingOperation());
        await to.SendAsync(new DisableIndexOperation("Users/ByName"));
        Assert.Equal("Disabled", (await to.SendAsync(new GetIndexingStatusOperation()))!.Indexes[0].Status);
        await to.SendAsync(new EnableIndexOperation("Users/ByName"));
        await Assert.ThrowsAsync<IndexDoesNotExistException>(
            () => to.SendAsync(new GetIndexStalenessOperation("none")));
        await Assert.ThrowsAsync<IndexDoesNotExistException>(() => to.SendAsync(new GetTermsOperation("none", "Name")));
    }

    private static async Task StoreAsync(DocumentStore store, params User[] users)
    {
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        foreach (User user in users)
        {
            await session.StoreAsync(user);
        }

        await session.SaveChangesAsync();
    }

    /// <summary>A patch by query that changes one document a second.</summary>
    private sealed class SlowPatch(string rql) : IOperation<OperationIdResult>
    {
        public RavenCommand<OperationIdResult> GetCommand(DocumentConventions conventions) =>
            new SimpleCommand<OperationIdResult>(
                node => new UrlBuilder(node, "/queries").Add("maxOpsPerSec", 1).ToRequest(
                    HttpMethod.Patch, JsonBody.Of(JsonSerializer.SerializeToUtf8Bytes(
                        new { Query = new { Query = rql } }))),
                DeleteByQueryOperation.ReadId, isRead: false);
    }
}
