using Raven.Client.Documents;
using Raven.Client.Documents.Operations;
using Raven.Client.Documents.Operations.DataArchival;
using Raven.Client.Documents.Operations.Revisions;
using Raven.Client.Documents.Operations.SchemaValidation;
using Raven.Client.Documents.Operations.UniqueConstraints;
using Raven.Client.Documents.Session;
using Raven.Client.Exceptions;
using Raven.Client.Exceptions.Documents;
using Raven.Client.Exceptions.SchemaValidation;

namespace FastTests.Client;

/// <summary>Rules for data by the client, against the real server.</summary>
public sealed class RulesTests(ClientFixture fixture) : IClassFixture<ClientFixture>
{
    [Fact]
    public async Task A_session_that_breaks_a_unique_constraint_learns_of_the_holder()
    {
        using DocumentStore store = fixture.NewStore();
        Assert.Null(await store.Maintenance.SendAsync(new GetUniqueConstraintsConfigurationOperation()));
        await store.Maintenance.SendAsync(new ConfigureUniqueConstraintsOperation(new UniqueConstraintsConfiguration
        {
            Collections =
            {
                ["Members"] = new()
                {
                    Constraints = [new() { Name = "Mail", Fields = ["Mail"], IgnoreCase = true }],
                },
            },
        }));
        UniqueConstraintsConfiguration told =
            (await store.Maintenance.SendAsync(new GetUniqueConstraintsConfigurationOperation()))!;
        Assert.Equal(["Mail"], told.Collections["Members"].Constraints[0].Fields);
        await StoreAsync(store, new Member { Id = "members/1", Mail = "a@b" });
        UniqueConstraintException e = await Assert.ThrowsAsync<UniqueConstraintException>(
            () => StoreAsync(store, new Member { Id = "members/2", Mail = "A@b" }));
        Assert.IsAssignableFrom<ConcurrencyException>(e);
        Assert.Equal(
            ("members/2", "members/1", "Members", "Mail"), (e.Id, e.Holder, e.Collection, e.Constraint));
        Assert.Equal(["Mail"], e.Fields);
        Assert.Equal(["\"A@b\""], e.Values);
        UniqueConstraintState state = Assert.Single(
            (await store.Maintenance.SendAsync(new GetUniqueConstraintsStateOperation()))!.Results);
        Assert.Equal((UniqueConstraintStage.Active, 0), (state.State, state.Excess));
    }

    [Fact]
    public async Task A_constraint_that_does_not_hold_names_the_documents_that_share_a_value()
    {
        using DocumentStore store = fixture.NewStore();
        await StoreAsync(
            store, new Member { Id = "members/1", Mail = "x" }, new Member { Id = "members/2", Mail = "x" });
        await store.Maintenance.SendAsync(new ConfigureUniqueConstraintsOperation(new UniqueConstraintsConfiguration
        {
            Collections = { ["Members"] = new() { Constraints = [new() { Name = "Mail", Fields = ["Mail"] }] } },
        }));
        UniqueConstraintState state = Assert.Single(
            (await store.Maintenance.SendAsync(new GetUniqueConstraintsStateOperation()))!.Results);
        Assert.Equal((UniqueConstraintStage.Violated, 1), (state.State, state.Excess));
        Assert.Equal(["members/1", "members/2"], state.Shared[0].Ids);
        Assert.Equal(["\"x\""], state.Shared[0].Values);
    }

    [Fact]
    public async Task A_session_that_breaks_a_schema_learns_where()
    {
        using DocumentStore store = fixture.NewStore();
        await StoreAsync(store, new Member { Id = "members/old" });
        await store.Maintenance.SendAsync(new ConfigureSchemaValidationOperation(new SchemaValidationConfiguration
        {
            ValidatorsPerCollection =
            {
                ["Members"] = new() { Schema = """{"properties":{"Mail":{"type":"string","minLength":3}}}""" },
            },
        }));
        SchemaValidationException e = await Assert.ThrowsAsync<SchemaValidationException>(
            () => StoreAsync(store, new Member { Id = "members/1", Mail = "ab" }));
        Assert.Contains("Mail must have at least 3 characters", e.Message, StringComparison.Ordinal);
        Assert.Contains(
            "minLength",
            (await store.Maintenance.SendAsync(new GetSchemaValidationConfiguration()))!
                .ValidatorsPerCollection["Members"].Schema,
            StringComparison.Ordinal);
        SchemaViolations found = (await store.Maintenance.SendAsync(new GetSchemaViolationsOperation("Members")))!;
        Assert.Equal((1, (long?)null), (found.Checked, found.NextEtag));
        SchemaViolation one = Assert.Single(found.Results);
        Assert.Equal(
            ("members/old", "Mail", "type", "#/properties/Mail"), (one.Id, one.Path, one.Keyword, one.Place));
    }

    [Fact]
    public async Task Archival_and_the_cleaner_of_revisions_are_configured_and_read_back()
    {
        using DocumentStore store = fixture.NewStore();
        MaintenanceOperationExecutor to = store.Maintenance;
        Assert.Null(await to.SendAsync(new GetDataArchivalConfigurationOperation()));
        await to.SendAsync(new ConfigureDataArchivalOperation(new() { ArchiveFrequencyInSec = 77 }));
        Assert.Equal(77, (await to.SendAsync(new GetDataArchivalConfigurationOperation()))!.ArchiveFrequencyInSec);
        Assert.Null(await to.SendAsync(new GetRevisionsBinCleanerConfigurationOperation()));
        await to.SendAsync(new ConfigureRevisionsBinCleanerOperation(new() { MinimumEntriesAgeToKeepInMin = 5 }));
        Assert.Equal(
            5, (await to.SendAsync(new GetRevisionsBinCleanerConfigurationOperation()))!.MinimumEntriesAgeToKeepInMin);
    }

    private static async Task StoreAsync(DocumentStore store, params Member[] members)
    {
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        foreach (Member member in members)
        {
            await session.StoreAsync(member, member.Id!);
        }

        await session.SaveChangesAsync();
    }

    private sealed class Member
    {
        public string? Id { get; set; }

        public string? Mail { get; set; }
    }
}
