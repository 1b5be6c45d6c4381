using System.Text;
using Raven.Blittable.Memory;
using Raven.Documents;
using Raven.Documents.Commands;
using Raven.Documents.Ids;
using Raven.Documents.Rows.Series;
using Raven.Documents.TimeSeries;

namespace FastTests.Documents.Series;

/// <summary>Random changes of time series, made to a database and to a model of it.</summary>
internal sealed class SeriesHistory(Random random, TestDatabase database)
{
    private static readonly string[] Ids = ["a", "a/1", "b"];
    private static readonly string[] Names = ["inc:n", "load", "temp"];

    private readonly Dictionary<(string, string), long> _clocks = [];
    private readonly HashSet<string> _deleted = [];

    internal SeriesModel Model { get; private set; } = new();

    /// <summary>Plays a history of so many steps and compares after some of them.</summary>
    internal static void Check(int seed, int steps)
    {
        Random random = new(seed);
        using var database = new TestDatabase();
        var history = new SeriesHistory(random, database);
        for (int step = 0; step < steps; step++)
        {
            history.Step();
            if (random.Next(25) == 0)
            {
                database.Restart();
            }

            if (random.Next(4) == 0 || step == steps - 1)
            {
                using DocumentSnapshot snapshot = database.Database.BeginRead();
                history.Model.AssertSame(snapshot, random);
            }
        }
    }

    /// <summary>Makes one batch of changes, whole or refused.</summary>
    /// <param name="forget">Called with what tells the documents that this batch has deleted.</param>
    internal void Step(Action<Func<string, bool>>? forget = null)
    {
        _deleted.Clear();
        SeriesModel before = Model.Freeze();
        database.StartBatch();
        int count = 1 + random.Next(4);
        bool isRefused = false;
        for (int i = 0; i < count && !isRefused; i++)
        {
            isRefused = !TryAddOperation();
        }

        bool isDone = database.Submit();
        Assert.Equal(!isRefused, isDone);
        Model = isRefused ? before : Model;
        if (!isRefused)
        {
            forget?.Invoke(_deleted.Contains);
        }

        Model.DropEmpty();
    }

    /// <summary>Adds an operation; false if it will be refused, as its document is missing.</summary>
    private bool TryAddOperation()
    {
        string id = Ids[random.Next(Ids.Length)];
        switch (random.Next(12))
        {
            case < 3:
                Assert.True(database.AddPut(id, $$"""{"N":{{random.Next(9)}}}"""));
                Model.Put(id);
                return true;
            case 3 when random.Next(4) == 0:
                Assert.True(database.AddDelete(id));
                Model.Delete(id);
                _deleted.Add(id);
                return true;
            case 4:
                return AddCopy(id);
            default:
                return AddChange(id);
        }
    }

    private bool AddChange(string id)
    {
        string name = Names[random.Next(Names.Length)];
        var action = new TimeSeriesAction(Arena);
        Add(id, name, action);
        if (!Model.Documents.Contains(id))
        {
            action.AddDeletion(0, 1);
            return false;
        }

        if (random.Next(5) == 0)
        {
            (long from, long to) = Range(id, name);
            action.AddDeletion(from, to);
            Model.Delete(id, name, from, to);
        }

        int count = random.Next(3) == 0 ? 0 : random.Next(25) == 0 ? random.Next(2000) : random.Next(30);
        AddPoints(id, name, action, count);
        return true;
    }

    private void AddPoints(string id, string name, TimeSeriesAction action, int count)
    {
        bool isIncrement = name.StartsWith("inc:", StringComparison.Ordinal);
        bool isLate = random.Next(4) == 0;
        int kind = 1 + random.Next(5);
        int width = random.Next(5) == 0 ? 1 + random.Next(32) : 1 + random.Next(2);
        double[] values = new double[width];
        long clock = _clocks.GetValueOrDefault((id, name), PointSource.Start);
        int step = 1 + random.Next(2000);
        for (int i = 0; i < count; i++)
        {
            long time = isLate
                ? PointSource.Start + random.NextInt64(Math.Max(1, clock - PointSource.Start + 100))
                : clock += step;
            for (int column = 0; column < width; column++)
            {
                double next = PointSource.Next(random, kind, values[column]);
                values[column] = isIncrement ? random.Next(-1000, 1000) : double.IsFinite(next) ? next : 1;
            }

            string tag = !isIncrement && random.Next(4) == 0 ? $"tag/{random.Next(300)}" : "";
            if (isIncrement)
            {
                action.Increments.Add(time, values, default);
                Model.Increment(id, name, time, values);
            }
            else
            {
                action.Appends.Add(time, values, Encoding.UTF8.GetBytes(tag));
                Model.Append(id, name, time, values, tag);
            }
        }

        _clocks[(id, name)] = clock;
    }

    private bool AddCopy(string id)
    {
        string target = Ids[random.Next(Ids.Length)];
        string name = Names[1 + random.Next(2)];
        string targetName = Names[1 + random.Next(2)];
        bool isThere = Model.Documents.Contains(id);
        (long from, long to) = isThere ? Range(id, name) : (0, 1);
        byte[] key = new byte[SeriesKey.SizeBytesMax];
        SeriesKey.TryWrite(
            key, Encoding.UTF8.GetBytes(id), Encoding.UTF8.GetBytes(name), out int length, out DocumentIdError _);
        var action = new TimeSeriesCopyAction(Arena)
        {
            SourceKey = Keep(key.AsSpan(0, length)),
            TargetId = Keep(Encoding.UTF8.GetBytes(target)),
            TargetDocumentKey = Keep(Encoding.UTF8.GetBytes(target)),
            From = from,
            To = to,
        };
        Assert.True(action.TrySetName(Encoding.UTF8.GetBytes(target), Text(targetName), out _));
        Assert.True(database.Batch.TryAddAction(Encoding.UTF8.GetBytes(id), action, ExpectedVersion.Any));
        if (!isThere || !Model.Documents.Contains(target))
        {
            return false;
        }

        foreach ((long time, SeriesModel.Point point) in Model.Of(id, name).ToList())
        {
            if (time >= from && time <= to)
            {
                Model.Append(target, targetName, time, point.Values, point.Tag);
            }
        }

        _clocks[(target, targetName)] = Math.Max(
            _clocks.GetValueOrDefault((id, name), PointSource.Start),
            _clocks.GetValueOrDefault((target, targetName), PointSource.Start));
        return true;
    }

    private (long From, long To) Range(string id, string name)
    {
        IList<long> times = Model.Of(id, name).Keys;
        if (times.Count == 0 || random.Next(6) == 0)
        {
            return (0, SeriesTime.Max);
        }

        long from = random.Next(3) == 0 ? 0 : times[random.Next(times.Count)];
        long to = random.Next(4) == 0 ? SeriesTime.Max : times[random.Next(times.Count)] + random.Next(2);
        return (Math.Min(from, to), Math.Max(from, to));
    }

    private void Add(string id, string name, TimeSeriesAction action)
    {
        Assert.True(database.Batch.TryAddAction(Encoding.UTF8.GetBytes(id), action, ExpectedVersion.Any));
        Assert.True(action.TrySetName(Encoding.UTF8.GetBytes(id), Text(name), out _));
    }

    private Arena Arena => database.Batch.Context.Arena;

    private NativeSlice Text(string text) => Keep(Encoding.UTF8.GetBytes(text));

    private NativeSlice Keep(ReadOnlySpan<byte> bytes)
    {
        NativeSlice kept = Arena.Allocate(bytes.Length);
        bytes.CopyTo(kept.WritableSpan);
        return kept;
    }
}
