using System.Globalization;
using System.Text;
using FastTests.Documents;
using Raven.Documents;
using Raven.Documents.Subscriptions;
using Raven.Storage.Options;
using Shared.Storage;

namespace FastTests.Subscriptions;

/// <summary>
/// Random writes, moves to another collection, workers of all strategies, acknowledgements, workers that vanish and
/// power cuts between any two of these, or within one. At the end nothing may be lost; meanwhile no document may be
/// with two workers, and none may come in an older version than before.
/// </summary>
internal sealed class SubscriptionModelRun(int seed, int steps) : IDisposable
{
    private const string Name = "mail";
    private const int DocumentCount = 6;

    private readonly Random _ahead = new(seed); // what was added later leaves the histories of the seeds as they were
    private readonly Random _random = new(seed);
    private readonly Dictionary<SubscriptionWorker, Dictionary<string, long>> _held = [];
    private readonly HashSet<(string Id, long Etag)> _done = [];
    private readonly Dictionary<string, long> _newestSent = [];
    private readonly ManualScheduler _scheduler = new();
    private SimulatedFileSystem _disk = new();
    private DiskImage? _start;
    private Dictionary<string, int> _numbers = [];
    private SubscriptionDatabase _database = null!;
    private int _number;

    /// <summary>How often what happened.</summary>
    internal Dictionary<string, int> Counts { get; } = [];

    internal void Play()
    {
        Open();
        _database.Create("declare function isOne(u) { return u.N % 5 != 0; } from Users as u where isOne(u)", Name);
        for (int step = 0; step < steps; step++)
        {
            Step();
        }

        CheckEnd();
    }

    public void Dispose()
    {
        _database.Dispose();
        _disk.Dispose();
        _start?.Dispose();
    }

    private void Open() => _database = new SubscriptionDatabase(new TestDatabase(new StorageOptions
    {
        FileSystem = _disk,
        Scheduler = _scheduler,
        JournalSizeBytesMin = 64 << 10,
        JournalSizeBytesMax = 256 << 10,
        FlushAfterBytes = 64 << 10,
    }));

    private void Step()
    {
        int before = _disk.Log.Count;
        switch (_random.Next(16))
        {
            case < 5:
                Write();
                break;
            case < 7:
                Connect();
                break;
            case < 10:
                Take();
                break;
            case < 13:
                Acknowledge();
                break;
            case 13:
                Vanish();
                break;
            case 14 when _random.Next(2) == 0:
                Cut(before);
                break;
            default:
                SendAgain();
                break;
        }

        if (_random.Next(10) == 0)
        {
            _scheduler.RunAll();
        }
    }

    private void Write()
    {
        string id = $"users/{_random.Next(DocumentCount)}";
        if (_random.Next(6) == 0)
        {
            _database.Test.Delete(id);
        }
        else
        {
            string number = (++_number).ToString(CultureInfo.InvariantCulture);
            string collection = _ahead.Next(8) > 0 ? "Users" : "Clients";
            _database.Test.Put(id, $"{{\"N\":{number},\"@metadata\":{{\"@collection\":\"{collection}\"}}}}");
            Count(collection);
        }

        Count("write");
    }

    private void Connect()
    {
        SubscriptionStrategy strategy = _random.Next(8) switch
        {
            0 => SubscriptionStrategy.TakeOver,
            1 => SubscriptionStrategy.WaitForFree,
            < 4 => SubscriptionStrategy.OpenIfFree,
            _ => SubscriptionStrategy.Concurrent,
        };
        try
        {
            Task<SubscriptionWorker> connecting = _database.BeginConnect(Name, strategy, _random.Next(1, 4)).AsTask();
            if (!connecting.IsCompleted)
            {
                GiveWay(strategy);
            }

            _held[connecting.GetAwaiter().GetResult()] = [];
            Count(strategy.ToString());
        }
        catch (SubscriptionException e) when (e.Problem == SubscriptionProblem.InUse)
        {
            Count("refused");
        }
    }

    /// <summary>A worker waits for all others to go. One that is taken over cannot acknowledge any more.</summary>
    private void GiveWay(SubscriptionStrategy to)
    {
        foreach (SubscriptionWorker worker in _held.Keys)
        {
            if (to == SubscriptionStrategy.TakeOver)
            {
                Assert.Equal(SubscriptionProblem.InUse, worker.End?.Problem);
                Assert.Throws<SubscriptionException>(() => SubscriptionDatabase.Acknowledge(worker));
            }

            SubscriptionDatabase.Close(worker);
        }

        _held.Clear();
        Count($"gave way to {to}");
    }

    private void Take()
    {
        SubscriptionWorker[] idle = [.. _held.Where(one => one.Value.Count == 0).Select(one => one.Key)];
        if (idle.Length == 0)
        {
            return;
        }

        SubscriptionWorker worker = idle[_random.Next(idle.Length)];
        if (SubscriptionDatabase.Take(worker) is not { } batch)
        {
            return;
        }

        Count("batch");
        for (int i = 0; i < batch.Count; i++)
        {
            string id = batch.IdOf(i);
            long etag = long.Parse(batch.ChangeVectorOf(i).Split(':', '-')[1], CultureInfo.InvariantCulture);
            Assert.True(
                !_held.Any(one => one.Key != worker && one.Value.ContainsKey(id)),
                $"seed {seed}: {id} is with two workers");
            Assert.True(
                _newestSent.GetValueOrDefault(id) <= etag, $"seed {seed}: {id} was sent in a newer version before");
            Assert.True(EtagOf(id) == etag, $"seed {seed}: {id} was sent in an older version than it has");
            _newestSent[id] = etag;
            _held[worker][id] = etag;
        }

        if (_ahead.Next(4) > 0)
        {
            worker.FillAhead();
            Count("filled ahead");
        }
    }

    /// <summary>The last change of a document; 0 if there is none.</summary>
    private long EtagOf(string id)
    {
        using DocumentSnapshot snapshot = _database.Test.Database.BeginRead();
        return snapshot.TryGet(Encoding.UTF8.GetBytes(id), out StoredDocument document) ? document.Etag : 0;
    }

    private void Acknowledge()
    {
        SubscriptionWorker[] busy = [.. _held.Where(one => one.Value.Count > 0).Select(one => one.Key)];
        if (busy.Length == 0)
        {
            return;
        }

        SubscriptionWorker worker = busy[_random.Next(busy.Length)];
        SubscriptionDatabase.Acknowledge(worker);
        foreach ((string id, long etag) in _held[worker])
        {
            _done.Add((id, etag));
        }

        _held[worker].Clear();
        Count("acknowledgement");
    }

    private void Vanish()
    {
        if (_held.Count > 0)
        {
            SubscriptionWorker worker = _held.Keys.ElementAt(_random.Next(_held.Count));
            _held.Remove(worker);
            SubscriptionDatabase.Close(worker);
            Count("vanished");
        }
    }

    private void SendAgain()
    {
        string id = $"users/{_random.Next(DocumentCount)}";
        if (_random.Next(4) == 0 && _database.Test.Read(id) is not null)
        {
            SubscriptionDatabase.Wait(_database.Subscriptions.SendAgainAsync(Name, [id]));
            Count("sent again");
        }
    }

    /// <summary>One more step, in which the power goes: the step is done, or it is not.</summary>
    private void Cut(int before)
    {
        if (_random.Next(2) == 0)
        {
            Write();
        }
        else
        {
            Acknowledge();
        }

        DiskImage left;
        using (CrashImages images = _start is null
            ? new CrashImages(_disk.Log)
            : new CrashImages(_disk.Log, _start.Copy(), name => _numbers[name]))
        {
            // At a cut, the last operation before it is not done: what was acknowledged before this step is older.
            if (_disk.Log.Count == before || _random.Next(4) == 0)
            {
                images.AdvanceToEnd();
            }
            else
            {
                images.AdvanceTo(_random.Next(before + 1, _disk.Log.Count + 1));
            }

            left = images.Make(_random).Copy();
        }

        _held.Clear();
        _database.Dispose();
        _disk.Dispose();
        _start?.Dispose();
        _start = left;
        _disk = new SimulatedFileSystem(left);
        _numbers = left.Files.Keys.ToDictionary(name => name, _disk.NumberOf);
        Open();
        ForgetLost();
        Count("cut");
    }

    /// <summary>A version that the cut has lost may be given out again.</summary>
    private void ForgetLost()
    {
        using Raven.Documents.DocumentSnapshot snapshot = Raven.Documents.NamedSnapshots.BeginRead(
            _database.Test.Database, "test");
        long last = snapshot.LastEtag;
        _done.RemoveWhere(one => one.Etag > last);
        foreach (string id in _newestSent.Keys.ToArray())
        {
            _newestSent[id] = _newestSent[id] > last ? 0 : _newestSent[id];
        }
    }

    private void CheckEnd()
    {
        foreach (SubscriptionWorker worker in _held.Keys)
        {
            SubscriptionDatabase.Close(worker);
        }

        _held.Clear();
        SubscriptionDatabase.Wait(_database.Subscriptions.SendAgainAsync(Name, null));
        SubscriptionWorker last = _database.Connect(
            Name, _random.Next(2) == 0 ? SubscriptionStrategy.Concurrent : SubscriptionStrategy.OpenIfFree);
        _held[last] = [];
        for (int i = 0; i < 100; i++)
        {
            Take();
            Acknowledge();
        }

        Assert.Equal(0, _database.Subscriptions.Get(Name).OwedCount);
        using Raven.Documents.DocumentSnapshot snapshot = Raven.Documents.NamedSnapshots.BeginRead(
            _database.Test.Database, "test");
        Raven.Documents.DocumentCursor documents = snapshot.DocumentsByEtag(0);
        while (documents.MoveNext(out Raven.Documents.StoredDocument document))
        {
            string id = TestDatabase.Text(document.Id);
            string json = TestDatabase.Json(document);
            int number = int.Parse(json.Split(':', ',')[1], CultureInfo.InvariantCulture);
            Assert.True(
                number % 5 == 0 || json.Contains("Clients", StringComparison.Ordinal)
                || _done.Contains((id, document.Etag)),
                $"seed {seed}: {id} of {document.Etag} was never acknowledged");
        }
    }

    private void Count(string what) => Counts[what] = Counts.GetValueOrDefault(what) + 1;
}
