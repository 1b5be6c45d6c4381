using FastTests.Support;
using Raven.Documents.Rows;
using Raven.Documents.Settings;
using Raven.Storage.Options;
using Raven.Storage.Transactions;
using Shared.Storage;

namespace FastTests.Documents;

/// <summary>How many revisions a document keeps, and what it costs to see to that.</summary>
public sealed class RevisionLimitTests
{
    private const long Now = 1_000_000_000;

    [Theory]
    [InlineData(3L, null, null, 8L, 3)]
    [InlineData(0L, null, null, 8L, 0)]
    [InlineData(20L, null, null, 8L, 8)]
    [InlineData(3L, null, 2L, 8L, 6)]
    [InlineData(3L, 4L, null, 8L, 4)]
    [InlineData(6L, 4L, null, 8L, 6)]
    [InlineData(null, 4L, null, 8L, 4)]
    [InlineData(null, 4L, 3L, 8L, 5)]
    [InlineData(0L, 0L, null, 8L, 0)]
    public void Revisions_beyond_the_number_and_age_to_keep_are_deleted_oldest_first(
        long? countMin, long? ageMin, long? atOnce, long revisions, int kept)
    {
        using var disk = new SimulatedFileSystem();
        using StorageEnvironment environment = Open(disk);
        using WriteTransaction transaction = environment.BeginWrite();
        RevisionTables tables = Begin(transaction);

        // Revision n is n ticks older than the last one, which is of now less one.
        Put(tables, "a"u8, first: 10, revisions, step: 1);
        Put(tables, "b"u8, first: 100, 50, step: 1);
        long deleted = tables.Enforce("a"u8, Limits(countMin, ageMin, atOnce), Now);
        Assert.Equal(revisions - kept, deleted);
        Assert.All(Enumerable.Range(0, (int)revisions), i => Assert.Equal(i >= deleted, tables.Has(10 + i)));
        Assert.All(Enumerable.Range(100, 50), etag => Assert.True(tables.Has(etag)));
    }

    [Theory]
    [InlineData(5L, 1_000_000L, null)]
    [InlineData(5L, null, 0L)]
    [InlineData(5L, 1L, null)]
    public void Limiting_the_revisions_of_a_document_costs_the_same_for_many_as_for_few(
        long? countMin, long? ageMin, long? atOnce)
    {
        using var disk = new SimulatedFileSystem();
        using StorageEnvironment environment = Open(disk);
        using WriteTransaction transaction = environment.BeginWrite();
        RevisionTables tables = Begin(transaction);
        Put(tables, "few"u8, first: 1, 10, step: 0);
        Put(tables, "many"u8, first: 100, 20_000, step: 0);
        CollectionRevisions limits = Limits(countMin, ageMin, atOnce);
        Cost.AssertWork(20, () => Enforce(tables, "many"u8, limits), () => Enforce(tables, "few"u8, limits));
    }

    private static void Enforce(RevisionTables tables, ReadOnlySpan<byte> key, CollectionRevisions limits)
    {
        for (int i = 0; i < 20; i++)
        {
            Assert.Equal(0, tables.Enforce(key, limits, Now));
        }
    }

    private static StorageEnvironment Open(SimulatedFileSystem disk) => StorageEnvironment.Open(
        new StorageOptions { FileSystem = disk, Scheduler = new ManualScheduler() });

    private static RevisionTables Begin(WriteTransaction transaction)
    {
        var attachments = new AttachmentTables();
        attachments.Begin(transaction);
        var tables = new RevisionTables(attachments);
        tables.Begin(transaction);
        return tables;
    }

    private static CollectionRevisions Limits(long? countMin, long? ageMin, long? atOnce) => new()
    {
        CountMin = countMin,
        AgeMin = ageMin is { } ticks ? TimeSpan.FromTicks(ticks) : null,
        DeletedAtOnceMax = atOnce ?? long.MaxValue,
    };

    private static void Put(RevisionTables tables, ReadOnlySpan<byte> key, long first, long count, long step)
    {
        for (long i = 0; i < count; i++)
        {
            var header = new RowHeader
            {
                Etag = first + i, LastModifiedTicks = Now - 1 - ((count - 1 - i) * step), Kind = RowKind.Document,
            };
            tables.Put(key, in header, key, "A:1"u8, "{}"u8);
        }
    }
}
