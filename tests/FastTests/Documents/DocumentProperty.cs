using FsCheck;
using FsCheck.Fluent;
using Raven.Server.Documents;

namespace FastTests.Documents;

/// <summary>
/// Any list of batches, restarts and snapshots that are read again leaves a database as its model says. Each element is
/// the seed of a step, so that FsCheck cuts a list that fails down to the steps that it takes.
/// </summary>
internal static class DocumentProperty
{
    private const int SnapshotsMax = 3;

    /// <summary>Plays so many lists of so many steps.</summary>
    internal static void Check(int lists, int steps) =>
        Prop.ForAll(Arb.From(Gen.Choose(0, int.MaxValue - 1).ArrayOf(steps), Shorter), Play)
            .Check(Config.QuickThrowOnFailure.WithMaxTest(lists));

    private static void Play(int[] steps)
    {
        var model = new DocumentModel();
        using var database = new TestDatabase();
        var snapshots = new Queue<(DocumentSnapshot Snapshot, DocumentModel Model)>();
        for (int i = 0; i < steps.Length; i++)
        {
            var random = new Random(steps[i]);
            database.Clock.Now += TimeSpan.FromMilliseconds(random.Next(1000));
            int what = random.Next(100);
            if (what < 90)
            {
                DocumentModelCheck.Step(random, model, database, $"step {i}");
            }
            else if (what < 95)
            {
                snapshots.Enqueue((database.Database.BeginRead(), model.Freeze()));
                ReadAgain(snapshots, SnapshotsMax);
            }
            else if (what < 97)
            {
                ReadAgain(snapshots, 0);
                database.Restart();
            }
            else
            {
                DocumentModelCheck.Compare(model, database.Database);
            }
        }

        ReadAgain(snapshots, 0);
        DocumentModelCheck.Compare(model, database.Database);
    }

    /// <summary>Reads all snapshots from start to end, and lets the oldest go.</summary>
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
