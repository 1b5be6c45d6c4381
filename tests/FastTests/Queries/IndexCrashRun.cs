using Raven.Documents;
using Raven.Documents.Indexing;
using Raven.Documents.Indexing.Definitions;
using Raven.Documents.Indexing.Storage;
using Shared.Storage;

namespace FastTests.Queries;

/// <summary>
/// Documents and their indexes, each on a disk of its own, written to in random steps and then cut at many moments:
/// what is recovered catches up, without indexing again what was there, and answers in agreement with the documents.
/// </summary>
internal sealed class IndexCrashRun(int seed, bool isLazy, IndexEngine engine = IndexEngine.Corax)
{
    private const string Conditions = "from Users where exact(Name = 'x') and Age > 1 and Tags = 'x' "
        + "and Score > 1 and Address.City = 'x' and Lines[].Product = 'x' and search(Text, 'x')";
    private const string Groups = "from Users group by Age select Age, count() as Count";

    private readonly Random _random = new(seed);
    private readonly List<Moment> _moments = [];
    private readonly Dictionary<string, long> _synced = [];

    /// <summary>How many indexes were found to be ahead of their documents.</summary>
    internal int AheadCount { get; private set; }

    /// <summary>How many indexes continued at their position.</summary>
    internal int KeptCount { get; private set; }

    /// <summary>Runs the steps, and judges what so many cuts leave.</summary>
    internal void Run(int steps, int cuts)
    {
        using CrashDisks disks = new(isLazy, seed);
        QueryModel model = new(_random);
        using (IndexedDatabase database = new(disks, engine))
        {
            Note(disks, database, model);
            Change(database, model);
            Note(disks, database, model);
            for (int step = 0; step < steps; step++)
            {
                Step(disks, database, model);
                Note(disks, database, model);
            }
        }

        CrashImages documents = new(disks.Documents.Log);
        Dictionary<string, CrashImages> indexes = disks.Indexes.ToDictionary(
            one => one.Key, one => new CrashImages(one.Value.Log));

        // Behind the last operation of the documents no other one shows that it was done.
        int end = _moments.FindIndex(one => one.Documents == _moments[^1].Documents);
        foreach (int at in Enumerable.Range(0, cuts).Select(_ => _random.Next(end)).Distinct().Order())
        {
            Judge(at, documents, indexes);
        }
    }

    private void Step(CrashDisks disks, IndexedDatabase database, QueryModel model)
    {
        switch (_random.Next(12))
        {
            case < 6:
                Change(database, model);
                break;
            case < 9:
                MakeIndexes(database);
                database.CatchUp();
                break;
            case 9:
                database.Database.Indexes.Tick();
                NoteSynced(database);
                break;
            case 10:
                disks.Flush();
                break;
            default:
                database.Restart();
                break;
        }
    }

    private void Change(IndexedDatabase database, QueryModel model)
    {
        database.Begin();
        for (int i = _random.Next(1, 15); i > 0; i--)
        {
            string id = model.RandomId();
            if (_random.Next(4) > 0)
            {
                model.Documents[id] = model.RandomDocument();
                database.Put(id, model.Documents[id].ToJson());
            }
            else
            {
                model.Documents.Remove(id);
                database.Delete(id);
            }
        }

        database.Submit();
    }

    private void NoteSynced(IndexedDatabase database)
    {
        foreach (DatabaseIndex index in database.Database.Indexes.All)
        {
            if (index.OpenedStorage is { } storage
                && IndexPosition.TryRead(storage.Search.ReadPosition(), out IndexPosition position))
            {
                _synced[storage.Folder] = position.LastEtag;
            }
        }
    }

    private static void MakeIndexes(IndexedDatabase database)
    {
        database.MakeIndexFor(Conditions);
        database.MakeIndexFor(Groups);
    }

    private void Note(CrashDisks disks, IndexedDatabase database, QueryModel model) => _moments.Add(new Moment(
        disks.Documents.Log.Count,
        disks.Indexes.ToDictionary(one => one.Key, one => one.Value.Log.Count),
        LastEtag(database),
        new Dictionary<string, QueryModel.Document>(model.Documents),
        new Dictionary<string, long>(_synced)));

    private void Judge(int at, CrashImages documents, Dictionary<string, CrashImages> indexes)
    {
        Moment before = _moments[at];
        Moment after = _moments[at + 1];
        string where = $"{engine}, seed {seed}, cut behind moment {at}";

        // What an index has read was done before: of the documents, the last operation may only be one that it has not
        // seen.
        int cut = _random.Next(before.Documents + 1, Math.Max(before.Documents + 1, after.Documents) + 1);
        documents.AdvanceTo(cut);
        List<(string Folder, DiskImage Image)> left = [];
        Dictionary<string, long> synced = [];
        foreach ((string folder, int count) in after.Indexes)
        {
            int indexCut = _random.Next(before.Indexes.GetValueOrDefault(folder), count + 1);
            indexes[folder].AdvanceTo(indexCut);
            left.Add((folder, indexes[folder].Make(_random)));

            // Of as many operations the last was asked for, and not yet done.
            synced[folder] = _moments.Where(one => one.Indexes.GetValueOrDefault(folder) < indexCut)
                .Select(one => one.Synced.GetValueOrDefault(folder)).DefaultIfEmpty().Max();
        }

        DiskImage image = documents.Make(_random);
        using (CrashDisks disks = new(isLazy, _random.Next(), image, left))
        {
            long acknowledged = _moments.Where(one => one.Documents < cut).Select(one => one.LastEtag)
                .DefaultIfEmpty().Max();
            Judge(disks, acknowledged, synced, where);
        }

        documents.Recycle(image);
        left.ForEach(one => indexes[one.Folder].Recycle(one.Image));
    }

    private void Judge(CrashDisks disks, long acknowledged, Dictionary<string, long> synced, string where)
    {
        using IndexedDatabase database = new(disks, engine);
        long lastEtag = LastEtag(database);
        Moment? state = _moments.LastOrDefault(one => one.LastEtag == lastEtag);
        Assert.True(state is not null, $"{where}: half a batch, etag {lastEtag}");
        Assert.True(isLazy || lastEtag >= acknowledged, $"{where}: etag {lastEtag} of {acknowledged}");
        QueryModel model = new(_random);
        foreach ((string id, QueryModel.Document document) in state.State)
        {
            model.Documents[id] = document;
        }

        if (_random.Next(2) == 0)
        {
            // No query has used the indexes yet, and lost etags are assigned again.
            Change(database, model);
            Change(database, model);
            database.Restart();
        }

        CatchUp(database, synced, where);
        Check(database, model, where);
        Change(database, model);
        database.CatchUp();
        Check(database, model, where + ", and later");
    }

    /// <summary>Opens what is there, and sees to it that no more is indexed than what came behind it.</summary>
    private void CatchUp(IndexedDatabase database, Dictionary<string, long> synced, string where)
    {
        Dictionary<DatabaseIndex, IndexPosition> opened = [];
        foreach (DatabaseIndex index in database.Database.Indexes.All)
        {
            index.TryHold()?.Release();
            opened[index] = index.Position;
            string folder = index.OpenedStorage!.Folder;
            long least = synced.GetValueOrDefault(folder);
            AheadCount += index.Failures.ToArray().Count(one => one.Message.Contains("it is at "));
            KeptCount += index.Position.LastEtag > 0 ? 1 : 0;
            Assert.True(
                isLazy || index.Failures.Count == 0, $"{where}: {index.Failures.ToArray().FirstOrDefault()?.Message}");
            Assert.True(
                isLazy || index.Position.LastEtag >= least,
                $"{where}: {folder} is at {index.Position.LastEtag}, and was synced at {least}");
        }

        MakeIndexes(database);
        database.CatchUp();
        long last = LastEtag(database);
        foreach ((DatabaseIndex index, IndexPosition position) in opened)
        {
            long mapped = index.Position.MapAttempts - position.MapAttempts;
            Assert.True(
                mapped <= last - position.LastEtag,
                $"{where}: {mapped} documents were indexed from {position.LastEtag} to {last}");
        }
    }

    private static void Check(IndexedDatabase database, QueryModel model, string where)
    {
        KeyValuePair<string, QueryModel.Document>[] users =
            [.. model.Documents.Where(one => one.Value.Collection == "Users")];
        for (int i = 0; i < 6; i++)
        {
            (string condition, Func<QueryModel.Document, bool> isMet) = model.RandomCondition(2);
            string text = $"from Users where {condition}";
            List<string> ids = database.Ask(text).Ids;
            Assert.True(
                users.Where(one => isMet(one.Value)).Select(one => one.Key).Order().SequenceEqual(ids.Order()),
                $"{where}: {text} gives {string.Join(' ', ids)}");
        }

        string[] groups = [.. users.GroupBy(one => one.Value.Age).Select(group =>
            $$"""{"Age":{{(group.Key is { } age ? age : "null")}},"Count":{{group.Count()}}}""").Order()];
        string[] found = [.. database.AskStored(Groups).Order()];
        Assert.True(
            groups.SequenceEqual(found),
            $"{where}: {string.Join(' ', found)} instead of {string.Join(' ', groups)}");
    }

    private static long LastEtag(IndexedDatabase database)
    {
        using DocumentSnapshot snapshot = database.Database.BeginRead();
        return snapshot.LastEtag;
    }

    /// <summary>How much was done on each disk, and what the documents were.</summary>
    private sealed record Moment(
        int Documents, Dictionary<string, int> Indexes, long LastEtag,
        Dictionary<string, QueryModel.Document> State, Dictionary<string, long> Synced);
}
