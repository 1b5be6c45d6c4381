using System.Net;
using System.Net.Sockets;

namespace Raven.Security.Floods;

//   FLOOD-1  Failures are counted by where they come from, never by whose name they use: a stranger cannot lock an
//            administrator out.
//   FLOOD-2  The table has a fixed size. If it is full, the source that failed longest ago makes room.

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

    private static readonly TimeSpan Window = TimeSpan.FromMinutes(1);

    private readonly Lock _lock = new();
    private readonly TimeProvider _clock;
    private readonly Dictionary<UInt128, LinkedListNode<Source>> _sources = [];
    private readonly LinkedList<Source> _byLastFailure = [];

    /// <summary>Makes an empty table.</summary>
    public FailedLogins(TimeProvider clock)
    {
        _clock = clock;
    }

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
            if (!_sources.TryGetValue(KeyOf(address), out LinkedListNode<Source>? node))
            {
                return TimeSpan.Zero;
            }

            TimeSpan left = node.Value.WaitsUntil - _clock.GetUtcNow();
            return left > TimeSpan.Zero ? left : TimeSpan.Zero;
        }
    }

    /// <summary>Notes a failure.</summary>
    /// <returns>True if it is the first one that makes the source wait.</returns>
    public bool Note(IPAddress address)
    {
        UInt128 key = KeyOf(address);
        DateTimeOffset now = _clock.GetUtcNow();
        lock (_lock)
        {
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

    /// <summary>One IPv4 address, or the 64 bits of IPv6 that one customer of a provider gets.</summary>
    private static UInt128 KeyOf(IPAddress address)
    {
        ArgumentNullException.ThrowIfNull(address);
        Span<byte> bytes = stackalloc byte[16];
        IPAddress plain = address.IsIPv4MappedToIPv6 ? address.MapToIPv4() : address;
        plain.TryWriteBytes(bytes, out int length);
        if (plain.AddressFamily == AddressFamily.InterNetworkV6)
        {
            bytes[8..].Clear();
            length = 16;
        }

        UInt128 key = (uint)length;
        foreach (byte b in bytes[..(length == 16 ? 8 : 4)])
        {
            key = (key << 8) | b;
        }

        return key;
    }

    private sealed class Source(UInt128 key, DateTimeOffset now)
    {
        private DateTimeOffset _windowBegan = now;
        private int _count;

        internal UInt128 Key => key;

        internal DateTimeOffset WaitsUntil { get; private set; } = DateTimeOffset.MinValue;

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

            bool isFirst = WaitsUntil <= at;
            WaitsUntil = at + Wait;
            return isFirst;
        }
    }
}
