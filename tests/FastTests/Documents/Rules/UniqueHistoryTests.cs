using System.Text;
using Raven.Blittable.Contexts;
using Raven.Blittable.Format;
using Raven.Blittable.Json;
using Raven.Blittable.Reading;
using Raven.Documents;
using Raven.Documents.Commands;
using Raven.Documents.Settings;
using Raven.Storage.Options;
using Shared.Storage;

namespace FastTests.Documents.Rules;

/// <summary>Random histories of batches under constraints: with restarts, power cuts and many writers.</summary>
public sealed class UniqueHistoryTests
{
    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    [Trait("Invariant", "UNIQ-2")]
    [Trait("Invariant", "UNIQ-3")]
    public async Task A_batch_is_refused_exactly_if_two_documents_would_share_a_value(int seed)
    {
        using TestDatabase database = new();
        await UniqueModel.ConfigureAsync(database.Database, UniqueModel.Constraints);
        UniqueModel model = new(new Random(seed));
        for (int step = 0; step < 400; step++)
        {
            model.Step(database, $"seed {seed}, step {step}");
            if (step % 40 == 0)
            {
                UniqueCheck.Verify(database.Database, $"seed {seed}, step {step}");
                database.Restart();
            }
        }

        UniqueCheck.Verify(database.Database, $"seed {seed}");
    }

    [Theory]
    [InlineData(4)]
    [InlineData(5)]
    [Trait("Invariant", "UNIQ-2")]
    [Trait("Invariant", "UNIQ-3")]
    public async Task After_a_power_cut_no_value_has_two_holders_and_none_is_an_orphan(int seed)
    {
        Random random = new(seed);
        using SimulatedFileSystem disk = new();
        ManualScheduler scheduler = new();
        using (TestDatabase database = new(Options(disk, scheduler)))
        {
            UniqueModel model = new(random);
            for (int step = 0; step < 60; step++)
            {
                if (step == 0 || step == 40)
                {
                    await UniqueModel.ConfigureAsync(database.Database, UniqueModel.Constraints);
                }
                else if (step == 30)
                {
                    await UniqueModel.ConfigureAsync(database.Database, """
                        {"Users":{"Constraints":[{"Name":"V","Fields":["V"]}]}}
                        """);
                    await UniqueModel.ConfigureAsync(database.Database, UniqueModel.Constraints);
                }

                model.Step(database, $"seed {seed}, step {step}");
                if (random.Next(8) == 0)
                {
                    scheduler.RunAll();
                }
            }
        }

        CrashImages images = new(disk.Log);
        foreach (int cut in Enumerable.Range(0, 40).Select(_ => random.Next(disk.Log.Count + 1)).Order())
        {
            images.AdvanceTo(cut);
            using SimulatedFileSystem left = new(images.Make(random));
            using TestDatabase database = new(Options(left, new ManualScheduler()));
            string about = $"seed {seed}, cut {cut}";
            UniqueCheck.Verify(database.Database, about);
            await UniqueModel.ConfigureAsync(database.Database, UniqueModel.Constraints);
            UniqueCheck.Verify(database.Database, about);
            database.StartBatch();
            database.AddPut("new/1", """{"V":"new","W":{"X":1},"@metadata":{"@collection":"Users"}}""");
            Assert.True(database.Submit(), about);
            database.StartBatch();
            database.AddPut("new/2", """{"V":"new","W":{"X":2},"@metadata":{"@collection":"Users"}}""");
            Assert.False(database.Submit(), about);
        }
    }

    [Fact]
    [Trait("Invariant", "UNIQ-3")]
    public async Task Of_64_writers_one_gets_each_value_while_constraints_come_and_go()
    {
        const int writers = 64;
        const int values = 20;
        using TestDatabase database = new();
        string unique = """{"Users":{"Constraints":[{"Name":"V","Fields":["V"]}]}}""";
        await UniqueModel.ConfigureAsync(database.Database, unique);
        bool[][] won = await Task.WhenAll(Enumerable.Range(0, writers).Select(writer => Task.Run(async () =>
        {
            bool[] mine = new bool[values];
            using OperationContext context = new();
            BatchCommand batch = new((ulong)writer);
            for (int value = 0; value < values; value++)
            {
                if (writer == 0)
                {
                    // Other constraints come and go meanwhile.
                    await UniqueModel.ConfigureAsync(database.Database, value % 2 == 1 ? unique : """
                        {"Users":{"Constraints":[{"Name":"V","Fields":["V"]},{"Name":"U","Fields":["U"]}]}}
                        """);
                }

                mine[value] = await TryPutAsync(
                    database.Database, batch, context, $"users/{writer}-{value}", value, writer % 3);
            }

            return mine;
        })));
        for (int value = 0; value < values; value++)
        {
            Assert.Equal(1, won.Count(mine => mine[value]));
        }

        UniqueCheck.Verify(database.Database, "writers");
        using DocumentSnapshot snapshot = database.Database.BeginRead();
        Assert.Equal(values, snapshot.CountOfCollection("users"u8));
    }

    [Fact]
    [Trait("Invariant", "UNIQ-2")]
    public async Task A_constraint_is_added_while_writers_run()
    {
        const int writers = 8;
        using TestDatabase database = new();
        for (int i = 0; i < 400; i++)
        {
            database.Put($"users/old-{i}", $$"""{"V":"old{{i}}","@metadata":{"@collection":"Users"} }""");
        }

        Task[] running = [.. Enumerable.Range(0, writers).Select(writer => Task.Run(async () =>
        {
            using OperationContext context = new();
            BatchCommand batch = new((ulong)writer);
            for (int i = 0; i < 60; i++)
            {
                await TryPutAsync(
                    database.Database, batch, context, $"users/{writer}-{i % 30}", (writer * 1000) + i, 0);
            }
        }))];
        await UniqueModel.ConfigureAsync(
            database.Database, """{"Users":{"Constraints":[{"Name":"V","Fields":["V"]}]}}""");
        await Task.WhenAll(running);
        UniqueCheck.Verify(database.Database, "added");
        using DocumentSnapshot snapshot = database.Database.BeginRead();
        Assert.Equal(
            UniqueStage.Active, Assert.Single(UniqueConstraints.Read(snapshot, 1, CancellationToken.None)).Stage);
    }

    [Fact]
    public async Task A_compacted_database_keeps_its_constraints()
    {
        using TestDatabase database = new();
        await UniqueModel.ConfigureAsync(database.Database, UniqueModel.Constraints);
        UniqueModel model = new(new Random(9));
        for (int step = 0; step < 60; step++)
        {
            model.Step(database, $"step {step}");
        }

        await database.Database.CompactAsync(
            () => new StorageOptions { FileSystem = new SimulatedFileSystem(), Clock = database.Clock },
            () => { }, () => { }, _ => { }, CancellationToken.None);
        UniqueCheck.Verify(database.Database, "compacted");
        for (int step = 0; step < 60; step++)
        {
            model.Step(database, $"step {step} after compaction");
        }

        UniqueCheck.Verify(database.Database, "after compaction");
    }

    private static async Task<bool> TryPutAsync(
        Database database, BatchCommand batch, OperationContext context, string id, int value, int others)
    {
        context.Reset();
        batch.Reset(context);
        for (int i = 0; i <= others; i++)
        {
            string json = i == 0
                ? $$"""{"V":{{value}},"@metadata":{"@collection":"Users"} }"""
                : """{"V":1,"@metadata":{"@collection":"Others"}}""";
            Assert.True(context.Parser.TryParse(
                Encoding.UTF8.GetBytes(json), BlittableMode.ToDisk, out BlittableObject document, out JsonError _));
            batch.TryAddPut(Encoding.UTF8.GetBytes(i == 0 ? id : $"{id}/{i}"), document, ExpectedVersion.Any);
        }

        await database.SubmitAsync(batch);
        Assert.True(
            batch.Failure.IsNone || batch.Failure.Kind == CommandFailureKind.NotUnique, batch.Failure.Describe());
        return batch.Failure.IsNone;
    }

    private static StorageOptions Options(SimulatedFileSystem disk, ManualScheduler scheduler) => new()
    {
        FileSystem = disk,
        Scheduler = scheduler,
        JournalSizeBytesMin = 64 << 10,
        JournalSizeBytesMax = 256 << 10,
        FlushAfterBytes = 64 << 10,
    };
}
