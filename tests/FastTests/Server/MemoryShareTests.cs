using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using Raven.Blittable.Contexts;
using Raven.Documents;
using Raven.Documents.Catalog;
using Raven.Server;
using Raven.Server.Diagnostics;
using Raven.Server.Http;
using Raven.Server.Options;
using Raven.Storage.Errors;
using Raven.Storage.Paging;
using Raven.Storage.Platform;

namespace FastTests.Server;

/// <summary>One option bounds what all databases of a server keep.</summary>
public sealed class MemoryShareTests
{
    private const long Limit = 128L << 20;
    private const int Contexts = 300;

    [Fact]
    public void All_databases_share_a_quarter_of_the_memory_limit_as_scratch_memory()
    {
        using DataFolder folder = DataFolder.CreateTemporary();
        using ServerState state = Create(folder);
        ScratchBudget[] budgets = [.. Enumerable.Range(0, 3).Select(which =>
        {
            Assert.Equal(CreateDatabaseStatus.Created, state.Databases.TryCreate($"db{which}", "{}"u8, out _));
            Assert.True(state.Databases.TryGet($"db{which}", out Database? database));
            using DocumentSnapshot snapshot = database.BeginRead();
            return database.OpenStorage!.Environment.Options.ScratchBudget;
        })];
        Assert.Single(budgets.Distinct());
        Assert.Equal(Limit / 4, budgets[0].SizeBytesMax);
    }

    [Fact]
    public void A_transaction_that_needs_more_memory_than_the_limit_is_refused_with_413_and_the_option()
    {
        using DataFolder folder = DataFolder.CreateTemporary();
        using ServerState state = Create(folder);
        var refusal = new TransactionTooLargeException("pages", Limit + 1, Limit);
        FailureAnswer failure = FailureMapping.Describe(state, refusal);
        Assert.Equal(413, failure.StatusCode);
        Assert.Contains($"{Limit} bytes", failure.Message, StringComparison.Ordinal);
        Assert.Contains("Limits.MemoryBytesMax", failure.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(1 << 10)]
    [InlineData(3 << 20)]
    [InlineData(12 << 20)]
    public void Idle_contexts_keep_at_most_a_quarter_of_the_memory_limit(int size)
    {
        using DataFolder folder = DataFolder.CreateTemporary();
        using ServerState state = Create(folder);
        int crowd = size > 10 << 20 ? 12 : Contexts;
        var rented = new OperationContext[crowd];
        for (int i = 0; i < crowd; i++)
        {
            rented[i] = state.RentContext();
            rented[i].Arena.Allocate(size);
        }

        Assert.True(state.Contexts.GetStatistics().UsedBytes >= (long)crowd * size);
        Array.ForEach(rented, state.Contexts.Return);
        Assert.InRange(state.Contexts.GetStatistics().CommittedBytes, 1, Limit / 4);
    }

    [Fact]
    public void The_idle_memory_of_contexts_is_limited_without_a_memory_limit_and_with_a_very_large_one()
    {
        var most = new OperationContextPoolOptions();
        OperationContextPoolOptions own = new ServerOptions().ToContextPoolOptions();
        Assert.InRange(own.IdleBytesMax, 1 << 20, most.IdleBytesMax);
        own = new ServerOptions { MemoryBytesMax = 1L << 40 }.ToContextPoolOptions();
        Assert.Equal(most, own);
    }

    [Fact]
    public void The_bits_beside_a_mapped_file_take_a_65536th_of_its_size() =>
        Assert.Equal(16L << 10, DataFile.WordsFor(1L << 30) * sizeof(long));

    private static ServerState Create(DataFolder folder) => ServerHost.CreateState(
        new ServerOptions { RunInMemory = true, MemoryBytesMax = Limit }, folder.Path, TimeProvider.System,
        new LogSwitch(NullLoggerFactory.Instance, LogLevel.None));
}
