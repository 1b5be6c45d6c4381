using Raven.Documents;
using Raven.Documents.Indexing;
using Raven.Documents.Indexing.Definitions;
using Shared.Storage;

namespace FastTests.Queries;

/// <summary>
/// Random changes and random queries, each compared with a scan of all documents, with repeated power cuts: the
/// documents and their indexes are reopened from what a disk may hold then.
/// </summary>
/// <param name="seed">Draws all of it.</param>
/// <param name="isLazy">Whether documents are synced only now and then, and lose a tail that indexes have seen.</param>
/// <param name="engine">The engine of the indexes.</param>
internal sealed class CrashingQueryRun(int seed, bool isLazy, IndexEngine engine = IndexEngine.Corax) : IDisposable
{
    private readonly Random _random = new(seed);

    /// <summary>What the documents were when they were at an etag.</summary>
    private readonly Dictionary<long, Dictionary<string, QueryModel.Document>> _states = [];

    /// <summary>The disks' content when they were new, and the numbers of the files, if a cut has left that.</summary>
    private readonly Dictionary<SimulatedFileSystem, (DiskImage Image, Dictionary<string, int> Numbers)> _starts = [];

    private CrashDisks _disks = null!;
    private IndexedDatabase _database = null!;

    /// <summary>How many operations the disk of the documents had done when the last batch was acknowledged.</summary>
    private int _acknowledged;

    /// <summary>How often the power went.</summary>
    internal int CutCount { get; private set; }

    /// <summary>How many indexes continued at their position.</summary>
    internal int KeptCount { get; private set; }

    /// <summary>How many indexes were found to be ahead of their documents.</summary>
    internal int AheadCount { get; private set; }

    /// <summary>Runs so many rounds, of some batches and then of queries; there is a cut in about each third.</summary>
    internal void Run(int rounds, int queriesARound)
    {
        QueryModel model = new(_random, hasVectors: engine == IndexEngine.Corax);
        _disks = new CrashDisks(isLazy, seed);
        _database = new IndexedDatabase(_disks, engine);
        Note(model);
        for (int round = 0; round < rounds; round++)
        {
            Change(model);
            int cutAt = _random.Next(queriesARound * 3);
            for (int i = 0; i < queriesARound; i++)
            {
                if (i == cutAt)
                {
                    Change(model);
                    Cut(model, $"seed {seed}, round {round}");
                }

                string where = $"{engine}, seed {seed}, {(isLazy ? "lazy, " : "")}round {round}, query {i}, "
                    + $"{CutCount} cuts";
                QueryDifferentialRun.Check(_database, model, _random, where);
                if (i % 5 == 0 && engine == IndexEngine.Corax)
                {
                    QueryDifferentialRun.CheckNearest(_database, model, _random, where + ", nearest");
                }
            }
        }
    }

    public void Dispose()
    {
        _database?.Dispose();
        _disks?.Dispose();
    }

    private void Change(QueryModel model)
    {
        for (int i = _random.Next(1, 4); i > 0; i--)
        {
            QueryDifferentialRun.Change(_database, model, _random);
            Note(model);
            switch (_random.Next(8))
            {
                case 0:
                    // Indexes sync what they have.
                    _database.CatchUp();
                    _database.Database.Indexes.Tick();
                    break;
                case 1:
                    _database.CatchUp();
                    break;
                case 2:
                    _disks.Flush();
                    break;
                case 3:
                    _database.Restart();
                    break;
            }
        }
    }

    private void Note(QueryModel model)
    {
        _acknowledged = _disks.Documents.Log.Count;
        _states[LastEtag()] = new(model.Documents);
    }

    /// <summary>
    /// The power is cut: documents that are not lazy have all that was acknowledged, and all disks any part of what was
    /// not synced.
    /// </summary>
    private void Cut(QueryModel model, string where)
    {
        CutCount++;
        long etag = LastEtag();
        DiskImage documents = ImageOf(_disks.Documents, _acknowledged + 1);
        List<(string Folder, DiskImage Image)> indexes =
            [.. _disks.Indexes.Select(one => (one.Key, ImageOf(one.Value, one.Value.Log.Count / 2)))];
        CrashDisks disks = new(isLazy, _random.Next(), documents, indexes);
        _starts.Clear();
        NoteStart(disks.Documents, documents);
        indexes.ForEach(one => NoteStart(disks.Indexes[one.Folder], one.Image));
        IndexedDatabase database = new(disks, engine);
        _database.Dispose();
        _disks.Dispose();
        (_disks, _database) = (disks, database);
        GoBack(model, etag, where);
        foreach (DatabaseIndex index in _database.Database.Indexes.All)
        {
            index.TryHold()?.Release();
            KeptCount += index.Position.LastEtag > 0 ? 1 : 0;
            AheadCount += index.Failures.ToArray().Count(one => one.Message.Contains("it is at "));
        }

        Assert.True(isLazy || AheadCount == 0, $"{where}: an index was ahead of documents that lost nothing");
        Note(model);
    }

    /// <summary>The model is what it was at the etag that is left: none is half a batch.</summary>
    private void GoBack(QueryModel model, long acknowledged, string where)
    {
        long left = LastEtag();
        Assert.True(isLazy || left == acknowledged, $"{where}: etag {left} is left of {acknowledged}");
        Assert.True(_states.TryGetValue(left, out Dictionary<string, QueryModel.Document>? state), $"{where}: {left}");
        model.Documents.Clear();
        foreach ((string id, QueryModel.Document document) in state)
        {
            model.Documents[id] = document;
        }

        foreach (long lost in _states.Keys.Where(one => one > left).ToArray())
        {
            _states.Remove(lost);
        }
    }

    private void NoteStart(SimulatedFileSystem disk, DiskImage image) =>
        _starts[disk] = (image, image.Files.Keys.ToDictionary(name => name, disk.NumberOf));

    /// <summary>What a disk may hold when it was cut behind so many operations, or later.</summary>
    private DiskImage ImageOf(SimulatedFileSystem disk, int least)
    {
        CrashImages images = _starts.TryGetValue(disk, out var start)
            ? new CrashImages(disk.Log, start.Image.Copy(), name => start.Numbers[name])
            : new CrashImages(disk.Log);
        if (least > disk.Log.Count)
        {
            images.AdvanceToEnd();
        }
        else
        {
            images.AdvanceTo(_random.Next(least, disk.Log.Count + 1));
        }

        return images.Make(_random);
    }

    private long LastEtag()
    {
        using DocumentSnapshot snapshot = _database.Database.BeginRead();
        return snapshot.LastEtag;
    }
}
