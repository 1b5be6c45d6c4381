using FastTests.Documents.History;
using FsCheck;
using FsCheck.Fluent;
using Raven.Documents;
using Raven.Storage.Options;
using Shared.Storage;

namespace FastTests.Documents;

/// <summary>
/// Any list of operations leaves a database as its model says: puts and deletes that wait for the end of their batch,
/// those ends, restarts, and snapshots that are read again. Each element is the seed of an operation, so that FsCheck
/// cuts a list that fails down to the operations that it takes. The database is in memory, as a disk would be most of
/// the time that a list takes.
/// </summary>
internal static class DocumentProperty
{
    private const int SnapshotsMax = 3;

    /// <summary>Plays so many lists of so many operations.</summary>
    internal static void Check(int lists, int operations) =>
        Prop.ForAll(
                Arb.From(Gen.Choose(0, int.MaxValue - 1).ArrayOf(operations), Shorter),
                Play)
            .Check(Config.QuickThrowOnFailure.WithMaxTest(lists));

    private static void Play(int[] operations)
    {
        var model = new DocumentModel();
        using var disk = new SimulatedFileSystem();
        using var database = new TestDatabase(Options(disk));
        var snapshots = new Queue<(DocumentSnapshot Snapshot, DocumentModel Model)>();
        List<DocumentModel.Operation> batch = [];
        for (int i = 0; i < operations.Length; i++)
        {
            var random = new Random(operations[i]);
            switch (random.Next(100))
            {
                case < 78:
                    batch.Add(DocumentModelCheck.NextOperation(random, model));
                    break;
                case < 95:
                    database.Clock.Now += TimeSpan.FromMilliseconds(random.Next(1000));
                    DocumentModelCheck.Submit(batch, model, database, $"operation {i}");
                    batch.Clear();
                    break;
                case < 97:
                    snapshots.Enqueue((database.Database.BeginRead(), model.Freeze()));
                    ReadAgain(snapshots, SnapshotsMax);
                    break;
                case < 98:
                    ReadAgain(snapshots, 0);
                    database.Restart();
                    break;
                default:
                    DocumentModelCheck.Compare(model, database.Database);
                    break;
            }
        }

        DocumentModelCheck.Submit(batch, model, database, "the end");
        ReadAgain(snapshots, 0);
        DocumentModelCheck.Compare(model, database.Database);
    }

    /// <summary>Small files, so that a list meets new journals and flushes; every commit is audited.</summary>
    private static StorageOptions Options(SimulatedFileSystem disk) => new()
    {
        FileSystem = new LockedFileSystem(disk),
        JournalSizeBytesMin = 64 << 10,
        JournalSizeBytesMax = 256 << 10,
        FlushAfterBytes = 64 << 10,
        SnapshotAgeMax = TimeSpan.FromHours(1),
        AuditsCommits = true,
    };

    /// <summary>Reads all snapshots from start to end, and disposes the oldest.</summary>
    private static void ReadAgain(Queue<(DocumentSnapshot Snapshot, DocumentModel Model)> snapshots, int kept)
    {
        foreach ((DocumentSnapshot snapshot, DocumentModel model) in snapshots)
        {
            DocumentModelCheck.Compare(model, snapshot);
        }

        while (snapshots.Count > kept)
        {
            snapshots.Dequeue().Snapshot.Dispose();
        }
    }

    private static IEnumerable<int[]> Shorter(int[] list)
    {
        for (int part = (list.Length + 1) / 2; part > 0; part /= 2)
        {
            for (int start = 0; start + part <= list.Length; start += part)
            {
                yield return [.. list[..start], .. list[(start + part)..]];
            }
        }
    }
}
