using System.Buffers.Binary;
using System.Buffers.Text;
using System.Security.Cryptography;
using System.Text;
using Raven.Security.Keys;

namespace Raven.Server.Http.Security;

//   SESS-1  A session is begun by a key that counts, has the key's rights at any time, and ends with the key: when the
//           key is deleted, disabled or over, or its secret replaced and the time of grace over; and 12 hours after it
//           began at the latest. It is in memory alone. An operation that it began, which the server runs without the
//           browser, goes on as long as the key counts and has the right.
//   SESS-2  A request that writes counts by its cookie only if the browser says that a page of this server sends it
//           (Sec-Fetch-Site), and no request that a page of elsewhere sends does, also if its origin is trusted
//           (Security.Csrf.TrustedOrigins). No such page signs a browser in.
//   SESS-3  There are a bounded number of sessions, and of each key: the oldest one makes room.

/// <summary>The browsers that have signed in. What their cookies hold is kept nowhere: it is found by its hash. Safe
/// for all threads.</summary>
internal sealed class StudioSessions(TimeProvider clock)
{
    /// <summary>How many sessions there are at one time.</summary>
    internal const int CountMax = 4096;

    /// <summary>How many of one key.</summary>
    internal const int PerKeyMax = 64;

    /// <summary>How long one lasts.</summary>
    internal static readonly TimeSpan Length = TimeSpan.FromHours(12);

    private const int TokenBytes = 32;
    private const int TokenLength = 43;

    private readonly Lock _lock = new();
    private readonly Dictionary<UInt128, LinkedListNode<Entry>> _byHash = [];
    private readonly LinkedList<Entry> _byAge = [];

    /// <summary>How many there are, those that have ended by themselves of late included.</summary>
    internal int Count
    {
        get
        {
            lock (_lock)
            {
                return _byHash.Count;
            }
        }
    }

    /// <summary>Begins a session for a key that counts.</summary>
    /// <param name="key">The key itself.</param>
    /// <param name="keyId">Its id.</param>
    /// <param name="session">The session.</param>
    /// <returns>What the cookie holds.</returns>
    internal string Begin(string key, string keyId, out StudioSession session)
    {
        DateTimeOffset now = clock.GetUtcNow();
        session = new StudioSession(keyId, ApiKey.HashOf(key), now + Length);
        string token = Base64Url.EncodeToString(RandomNumberGenerator.GetBytes(TokenBytes));
        lock (_lock)
        {
            MakeRoom(keyId, now);
            UInt128 hash = HashOf(token);
            _byHash.Add(hash, _byAge.AddLast(new Entry(hash, session)));
        }

        return token;
    }

    /// <summary>Whether a text has the form of what a cookie holds: it may be of a session that has ended.</summary>
    internal static bool IsToken(ReadOnlySpan<char> token) => token.Length == TokenLength && Ascii.IsValid(token);

    /// <summary>The session of a cookie, whether it still counts or not; null if there is none.</summary>
    internal StudioSession? Find(ReadOnlySpan<char> token)
    {
        if (!IsToken(token))
        {
            return null;
        }

        UInt128 hash = HashOf(token);
        lock (_lock)
        {
            return _byHash.TryGetValue(hash, out LinkedListNode<Entry>? node) ? node.Value.Session : null;
        }
    }

    /// <summary>Ends the session of a cookie.</summary>
    /// <returns>The session; null if there was none.</returns>
    internal StudioSession? End(ReadOnlySpan<char> token)
    {
        if (!IsToken(token))
        {
            return null;
        }

        UInt128 hash = HashOf(token);
        lock (_lock)
        {
            if (!_byHash.TryGetValue(hash, out LinkedListNode<Entry>? node))
            {
                return null;
            }

            Remove(node);
            return node.Value.Session;
        }
    }

    private static UInt128 HashOf(ReadOnlySpan<char> token)
    {
        Span<byte> text = stackalloc byte[TokenLength];
        Span<byte> hash = stackalloc byte[SHA256.HashSizeInBytes];
        Encoding.ASCII.GetBytes(token, text);
        SHA256.HashData(text, hash);
        return BinaryPrimitives.ReadUInt128LittleEndian(hash);
    }

    /// <summary>Forgets what is over, and the oldest of the key or of all, if there are too many (SESS-3).</summary>
    private void MakeRoom(string keyId, DateTimeOffset now)
    {
        LinkedListNode<Entry>? oldest = null;
        int count = 0;
        for (LinkedListNode<Entry>? node = _byAge.First; node != null;)
        {
            LinkedListNode<Entry>? next = node.Next;
            if (node.Value.Session.EndsAt < now)
            {
                Remove(node);
            }
            else if (node.Value.Session.KeyId == keyId)
            {
                oldest ??= node;
                count++;
            }

            node = next;
        }

        if (count >= PerKeyMax)
        {
            Remove(oldest!);
        }
        else if (_byAge.Count >= CountMax)
        {
            Remove(_byAge.First!);
        }
    }

    private void Remove(LinkedListNode<Entry> node)
    {
        node.Value.Session.End();
        _byHash.Remove(node.Value.Hash);
        _byAge.Remove(node);
    }

    private readonly record struct Entry(UInt128 Hash, StudioSession Session);
}
