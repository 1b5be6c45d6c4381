using System.Net;

namespace Raven.Security.Floods;

//   FLOOD-1  Failures are counted by where they come from, never by whose name they use: a stranger cannot lock an
//            administrator out.
//   FLOOD-2  The table has a fixed size. If it is full, the source that failed longest ago makes room.
//   FLOOD-3  Of a source that waits a few new connections in a second are taken. The others end before a byte of them
//            is read.

/// <summary>
/// How often each source has failed to show who it is. Whoever fails too often waits. Safe for all threads; a request
/// with a right identity never comes here.
/// </summary>
public sealed class FailedLogins
{
    /// <summary>How many failures a source has in a minute.</summary>
    public const int PerMinuteMax = 20;

    /// <summary>How many sources are known at one time.</summary>
    public const int SourcesMax = 4096;

    /// <summary>How long a source waits that had too many.</summary>
    public static readonly TimeSpan Wait = TimeSpan.FromSeconds(60);

    /// <summary>How many new connections of a source that waits are taken in a second.</summary>
    public const int ConnectionsOfWaitingMax = 16;

    private static readonly TimeSpan Window = TimeSpan.FromMinutes(1);
    private static readonly TimeSpan Second = TimeSpan.FromSeconds(1);

    private readonly Lock _lock = new();
    private readonly TimeProvider _clock;
    private readonly Dictionary<UInt128, LinkedListNode<Source>> _sources = [];
    private readonly LinkedList<Source> _byLastFailure = [];
    private long _count;

    /// <summary>Makes an empty table.</summary>
    public FailedLogins(TimeProvider clock)
    {
        _clock = clock;
    }

    /// <summary>How many failures there were.</summary>
    public long Count => Interlocked.Read(ref _count);

    /// <summary>How many sources are known.</summary>
    public int SourceCount
    {
        get
        {
            lock (_lock)
            {
                return _sources.Count;
            }
        }
    }

    /// <summary>How long a source has to wait; zero if it need not.</summary>
    public TimeSpan WaitOf(IPAddress address)
    {
        lock (_lock)
        {
            if (!_sources.TryGetValue(SourceKey.Of(address), out LinkedListNode<Source>? node))
            {
                return TimeSpan.Zero;
            }

            return node.Value.WaitAt(_clock.GetUtcNow());
        }
    }

    /// <summary>
    /// Whether a new connection of a source is taken: of one that waits, only a few in a second, so that its tries cost
    /// a bounded amount, and its neighbours with right identities come through.
    /// </summary>
    public bool MayConnect(IPAddress address)
    {
        lock (_lock)
        {
            return !_sources.TryGetValue(SourceKey.Of(address), out LinkedListNode<Source>? node)
                || node.Value.MayConnect(_clock.GetUtcNow());
        }
    }

    /// <summary>Notes a failure.</summary>
    /// <returns>True if it is the first one that makes the source wait.</returns>
    public bool Note(IPAddress address)
    {
        UInt128 key = SourceKey.Of(address);
        DateTimeOffset now = _clock.GetUtcNow();
        lock (_lock)
        {
            _count++;
            if (_sources.TryGetValue(key, out LinkedListNode<Source>? node))
            {
                _byLastFailure.Remove(node);
            }
            else
            {
                MakeRoom();
                node = new LinkedListNode<Source>(new Source(key, now));
                _sources.Add(key, node);
            }

            _byLastFailure.AddLast(node);
            return node.Value.Note(now);
        }
    }

    private void MakeRoom()
    {
        if (_sources.Count == SourcesMax)
        {
            _sources.Remove(_byLastFailure.First!.Value.Key);
            _byLastFailure.RemoveFirst();
        }
    }

    private sealed class Source(UInt128 key, DateTimeOffset now)
    {
        private DateTimeOffset _windowBegan = now;
        private int _count;
        private DateTimeOffset _waitsUntil = DateTimeOffset.MinValue;
        private DateTimeOffset _secondBegan = DateTimeOffset.MinValue;
        private int _connections;

        internal UInt128 Key => key;

        /// <summary>A clock that was set back makes no wait longer.</summary>
        internal TimeSpan WaitAt(DateTimeOffset at)
        {
            TimeSpan left = _waitsUntil - at;
            return left > TimeSpan.Zero && left <= Wait ? left : TimeSpan.Zero;
        }

        internal bool MayConnect(DateTimeOffset at)
        {
            if (WaitAt(at) == TimeSpan.Zero)
            {
                return true;
            }

            if (at - _secondBegan >= Second || at < _secondBegan)
            {
                _secondBegan = at;
                _connections = 0;
            }

            return _connections++ < ConnectionsOfWaitingMax;
        }

        internal bool Note(DateTimeOffset at)
        {
            if (at - _windowBegan >= Window || at < _windowBegan)
            {
                _windowBegan = at;
                _count = 0;
            }

            _count++;
            if (_count <= PerMinuteMax)
            {
                return false;
            }

            bool isFirst = WaitAt(at) == TimeSpan.Zero;
            _waitsUntil = at + Wait;
            return isFirst;
        }
    }
}
