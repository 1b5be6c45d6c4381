using Raven.Cluster.Replication;
using Raven.Storage.Log;

namespace Raven.Tools.Stress.Cluster;

/// <summary>Files in memory: some pages, each with the transaction that wrote it, and the records behind
/// them.</summary>
internal sealed class MemoryReplicaLog(ulong lineage) : IReplicaLog
{
    /// <summary>Records in order; those up to the applied one are in the pages of the data file.</summary>
    private readonly List<SimulatedRecord> _records = [];
    private readonly Dictionary<long, ulong> _history = new() { [0] = 0 };
    private Dictionary<int, (long Value, long TransactionId)> _pages = [];
    private LogPosition _base;
    private LogPosition _applied;
    private SimulatedRecord? _writing;
    private ulong _lineage = lineage;
    private bool _needsPages;

    public LogPosition Durable => _records.Count > 0 ? _records[^1].Point : _base;

    public LogPosition Visible => _applied;

    public ulong PagesHash => _pages.OrderBy(page => page.Key).Aggregate(
        17ul, (hash, page) => Mix(Mix(hash, (ulong)page.Key), (ulong)page.Value.Value));

    public ReplicaStart Scan()
    {
        List<LogPosition> points = [_base, .. _records.Select(record => record.Point)];
        LogPosition before = points.Count > 1 ? points[^2] : points[^1];
        return new ReplicaStart
        {
            Points = points,
            Floor = _applied.TransactionId > before.TransactionId ? _applied : before,
            EnvironmentId = _needsPages || _lineage != 0 ? SimulatedWorld.EnvironmentId : 0,
            Lineage = _lineage,
            NeedsPages = _needsPages,
        };
    }

    public void Recover(long transactionId)
    {
        while (_records.Count > 0 && Durable.TransactionId > transactionId)
        {
            _history.Remove(Durable.TransactionId);
            _records.RemoveAt(_records.Count - 1);
        }

        if (Durable.TransactionId != transactionId || _applied.TransactionId > transactionId)
        {
            throw new SimulationException(
                $"recovery to {transactionId}, where {_applied} is applied and {Durable} is the last");
        }

        Publish(transactionId);
    }

    public void Lead(long epoch, ulong lineage) => _lineage = lineage;

    public void StepDown()
    {
    }

    public SimulatedRecord Write(int page, long value, long epoch)
    {
        ulong before = Durable.LogHash;
        long transaction = Durable.TransactionId + 1;
        ulong hash = Mix(Mix(Mix(Mix(before, (ulong)transaction), (ulong)epoch), (ulong)page), (ulong)value);
        var record = new SimulatedRecord(new LogPosition(transaction, hash, epoch), before, page, value);
        Apply(_lineage, record);
        return record;
    }

    public void Apply(ulong lineage, SimulatedRecord record)
    {
        _lineage = lineage;
        if (_writing is not null || record.Point.TransactionId != Durable.TransactionId + 1
            || record.PreviousHash != Durable.LogHash)
        {
            throw new SimulationException($"{record.Point} is written behind {Durable}");
        }

        _writing = record;
    }

    public void EndWrite()
    {
        _records.Add(_writing!);
        _history[_writing!.Point.TransactionId] = _writing.Point.LogHash;
        _writing = null;
    }

    public void Publish(long transactionId)
    {
        foreach (SimulatedRecord record in _records)
        {
            if (record.Point.TransactionId > _applied.TransactionId && record.Point.TransactionId <= transactionId)
            {
                _pages[record.Page] = (record.Value, record.Point.TransactionId);
                _applied = record.Point;
            }
        }
    }

    public void Trim(long transactionId)
    {
        while (_records.Count > 1 && _records[0].Point.TransactionId <= transactionId
            && _records[0].Point.TransactionId < _applied.TransactionId)
        {
            _base = _records[0].Point;
            _records.RemoveAt(0);
        }
    }

    public void Crash(bool isWritten)
    {
        if (_writing is not null && isWritten)
        {
            EndWrite();
        }

        _writing = null;
    }

    public void Lose()
    {
        _records.Clear();
        _history.Clear();
        _history[0] = 0;
        _pages = [];
        _base = default;
        _applied = default;
        _writing = null;
        _lineage = 0;
        _needsPages = false;
    }

    public bool Has(LogPosition point) =>
        !_needsPages && _history.TryGetValue(point.TransactionId, out ulong hash) && hash == point.LogHash;

    public SimulatedRecord? Find(LogPosition point) =>
        _writing?.Point == point ? _writing : _records.Find(record => record.Point == point);

    public SimulatedPages CopyPages(long since) => new(
        since, _applied, _lineage, _pages.Where(page => page.Value.TransactionId > since).ToDictionary());

    public void TakePages(SimulatedPages pages, bool isFinished)
    {
        if (pages.Since == 0)
        {
            _pages = [];
        }
        else if (!_needsPages)
        {
            // What follows the floor is dropped, as an open up to it does.
            Recover(pages.Since);
        }

        foreach ((int page, (long, long) value) in pages.Changed)
        {
            _pages[page] = value;
            if (!isFinished)
            {
                break;
            }
        }

        _records.Clear();
        _needsPages = !isFinished;
        _lineage = isFinished || pages.Since > 0 ? pages.Lineage : 0;
        LogPosition point = isFinished ? pages.Point : pages.Since == 0 ? default : _applied;
        _base = point;
        _applied = point;
        if (isFinished)
        {
            // What was there of another history is gone.
            foreach (long later in _history.Keys.Where(each => each > point.TransactionId).ToArray())
            {
                _history.Remove(later);
            }

            _history[point.TransactionId] = point.LogHash;
        }
    }

    public void Dispose()
    {
    }

    private static ulong Mix(ulong hash, ulong value)
    {
        hash = (hash ^ value) * 0x9E3779B97F4A7C15;
        return (hash ^ (hash >> 29)) * 0xBF58476D1CE4E5B9;
    }
}
