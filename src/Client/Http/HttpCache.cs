using System.Collections.Concurrent;

namespace Raven.Client.Http;

/// <summary>
/// A cache of the bodies of answers by url, with the entity tag for the next request; shared by the sessions of a
/// store, safe for all threads. It has a greatest size in bytes, and drops the least recently used answers.
/// </summary>
internal sealed class HttpCache(long sizeBytesMax)
{
    private const int EntryOverheadBytes = 256;

    private readonly ConcurrentDictionary<string, Entry> _entries = new(StringComparer.Ordinal);
    private long _sizeBytes;
    private long _uses;
    private int _isTrimming;

    internal int Count => _entries.Count;

    internal long SizeBytes => Interlocked.Read(ref _sizeBytes);

    internal Entry? TryGet(string url)
    {
        if (!_entries.TryGetValue(url, out Entry? entry))
        {
            return null;
        }

        entry.LastUse = Interlocked.Increment(ref _uses);
        return entry;
    }

    /// <summary>Adds an answer.</summary>
    /// <param name="url">The url of the request.</param>
    /// <param name="etag">The tag of the answer.</param>
    /// <param name="body">Its body.</param>
    /// <param name="validatedAt">When it was last known to be current, as a timestamp of the clock.</param>
    /// <param name="generation">How many changes had been reported before it was requested.</param>
    internal void Set(string url, string etag, ReadOnlyMemory<byte> body, long validatedAt, long generation)
    {
        if (sizeBytesMax <= 0 || body.Length > sizeBytesMax / 8)
        {
            return;
        }

        var entry = new Entry(etag, body) { ValidatedAt = validatedAt, Generation = generation };
        entry.LastUse = Interlocked.Increment(ref _uses);
        long grown = SizeOf(url, entry);
        if (_entries.TryGetValue(url, out Entry? old) && _entries.TryUpdate(url, entry, old))
        {
            grown -= SizeOf(url, old);
        }
        else if (!_entries.TryAdd(url, entry))
        {
            return;
        }

        if (Interlocked.Add(ref _sizeBytes, grown) > sizeBytesMax)
        {
            Trim();
        }
    }

    internal void Clear()
    {
        foreach (KeyValuePair<string, Entry> pair in _entries)
        {
            Remove(pair);
        }
    }

    private static long SizeOf(string url, Entry entry) => entry.Body.Length + (2L * url.Length) + EntryOverheadBytes;

    private void Trim()
    {
        if (Interlocked.Exchange(ref _isTrimming, 1) != 0)
        {
            return;
        }

        foreach (KeyValuePair<string, Entry> pair in _entries.ToArray().OrderBy(pair => pair.Value.LastUse))
        {
            if (SizeBytes <= sizeBytesMax / 2)
            {
                break;
            }

            Remove(pair);
        }

        Volatile.Write(ref _isTrimming, 0);
    }

    private void Remove(KeyValuePair<string, Entry> pair)
    {
        if (_entries.TryRemove(pair))
        {
            Interlocked.Add(ref _sizeBytes, -SizeOf(pair.Key, pair.Value));
        }
    }

    /// <summary>A cached answer.</summary>
    internal sealed class Entry(string etag, ReadOnlyMemory<byte> body)
    {
        internal string Etag => etag;

        internal ReadOnlyMemory<byte> Body => body;

        internal long ValidatedAt { get; set; }

        internal long Generation { get; set; }

        /// <summary>See <see cref="RavenCommand{TResult}.IsTracked"/>; null until it was computed.</summary>
        internal bool? IsTracked { get; set; }

        internal long LastUse { get; set; }
    }
}
