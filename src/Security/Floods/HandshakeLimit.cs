using System.Net;
using System.Runtime.InteropServices;

namespace Raven.Security.Floods;

//   FLOOD-4  At most so many handshakes are under way at one time, and at most half of them are of one source: whoever
//            opens connections and stays silent leaves room for others.

/// <summary>
/// Counts the TLS handshakes that are under way, all and by source. What it remembers is as large as they are many.
/// Safe for all threads.
/// </summary>
public sealed class HandshakeLimit
{
    private readonly Lock _lock = new();
    private readonly FailedLogins _failures;
    private readonly int _ofSourceMax;
    private readonly Dictionary<UInt128, int> _bySource = [];
    private int _count;
    private long _refused;

    /// <summary>Makes a limit.</summary>
    /// <param name="max">The most handshakes at one time.</param>
    /// <param name="failures">Says which sources wait after failed logins.</param>
    public HandshakeLimit(int max, FailedLogins failures)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(max, 1);
        ArgumentNullException.ThrowIfNull(failures);
        Max = max;
        _ofSourceMax = (max + 1) / 2;
        _failures = failures;
    }

    /// <summary>The most handshakes at one time.</summary>
    public int Max { get; }

    /// <summary>How many are under way.</summary>
    public int Count => Volatile.Read(ref _count);

    /// <summary>How many connections were refused.</summary>
    public long RefusedCount => Interlocked.Read(ref _refused);

    /// <summary>How many sources have handshakes under way.</summary>
    public int SourceCount
    {
        get
        {
            lock (_lock)
            {
                return _bySource.Count;
            }
        }
    }

    /// <summary>Counts the handshake of a new connection.</summary>
    /// <returns>False if the connection must end; otherwise <see cref="End"/> is due once.</returns>
    public bool TryBegin(IPAddress address)
    {
        UInt128 key = SourceKey.Of(address);
        bool mayConnect = _failures.MayConnect(address);
        lock (_lock)
        {
            if (mayConnect && _count < Max)
            {
                ref int ofSource = ref CollectionsMarshal.GetValueRefOrAddDefault(_bySource, key, out _);
                if (ofSource < _ofSourceMax)
                {
                    ofSource++;
                    _count++;
                    return true;
                }
            }

            _refused++;
            return false;
        }
    }

    /// <summary>The handshake of a connection is over, in whichever way.</summary>
    public void End(IPAddress address)
    {
        UInt128 key = SourceKey.Of(address);
        lock (_lock)
        {
            ref int ofSource = ref CollectionsMarshal.GetValueRefOrNullRef(_bySource, key);
            _count--;
            if (--ofSource == 0)
            {
                _bySource.Remove(key);
            }
        }
    }
}
