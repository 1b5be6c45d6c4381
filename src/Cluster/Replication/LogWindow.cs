using Raven.Storage.Log;

namespace Raven.Cluster.Replication;

/// <summary>
/// The last points of a log: what a handshake compares, and what is shipped to a node that is behind. The records of
/// all but the first of them are kept by the shell. It always has the last two.
/// </summary>
internal sealed class LogWindow(long bytesMax)
{
    private (LogPosition Point, int Bytes)[] _points = new (LogPosition, int)[16];
    private int _first;
    private long _bytes;

    internal int Count { get; private set; }

    internal LogPosition First => _points[_first].Point;

    internal LogPosition Last => At(Count - 1).Point;

    internal void Reset(LogPosition point)
    {
        _first = 0;
        Count = 0;
        _bytes = 0;
        Add(point, 0);
    }

    internal void Add(LogPosition point, int bytes)
    {
        if (Count == _points.Length)
        {
            Grow();
        }

        _points[(_first + Count++) & (_points.Length - 1)] = (point, bytes);
        _bytes += bytes;
        while (Count > 2 && _bytes > bytesMax)
        {
            // The first point is there to be compared; the record of the next one goes with it.
            _first = (_first + 1) & (_points.Length - 1);
            Count--;
            _bytes -= _points[_first].Bytes;
            _points[_first].Bytes = 0;
        }
    }

    /// <summary>Drops what follows a transaction, which it must have.</summary>
    internal void CutAfter(long transaction)
    {
        while (Count > 1 && Last.TransactionId > transaction)
        {
            _bytes -= At(Count - 1).Bytes;
            Count--;
        }
    }

    internal bool Has(LogPosition point) =>
        TryGet(point.TransactionId, out LogPosition own) && own.LogHash == point.LogHash;

    internal bool TryGet(long transaction, out LogPosition point)
    {
        long index = transaction - First.TransactionId;
        bool isThere = index >= 0 && index < Count;
        point = isThere ? At((int)index).Point : default;
        return isThere;
    }

    /// <summary>The bytes of the records behind a transaction.</summary>
    internal long BytesAfter(long transaction)
    {
        long bytes = 0;
        for (int i = Count - 1; i > 0 && At(i).Point.TransactionId > transaction; i--)
        {
            bytes += At(i).Bytes;
        }

        return bytes;
    }

    private ref (LogPosition Point, int Bytes) At(int index) => ref _points[(_first + index) & (_points.Length - 1)];

    private void Grow()
    {
        var points = new (LogPosition, int)[_points.Length * 2];
        for (int i = 0; i < Count; i++)
        {
            points[i] = At(i);
        }

        _points = points;
        _first = 0;
    }
}
