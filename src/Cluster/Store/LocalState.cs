using System.Buffers.Binary;
using Raven.Storage.Errors;

namespace Raven.Cluster.Store;

//   RECORD              VALUE
//   cluster/KEY         byte: 1; int64: CreateRevision, ModRevision, Version, Lease; the value
//   cluster.revision    int64: the last revision

/// <summary>The keys of a local store, in memory as they are in the server's records. One thread at a time.</summary>
internal sealed class LocalState
{
    private const string Prefix = "cluster/";
    private const string RevisionKey = "cluster.revision";
    private const byte Format = 1;
    private const int HeadBytes = 1 + (4 * sizeof(long));

    private readonly SortedDictionary<string, StoreEntry> _entries = new(StringComparer.Ordinal);
    private readonly ILocalRecords _records;

    internal LocalState(ILocalRecords records)
    {
        if (records.KeyBytesMax < Prefix.Length + StoreTxn.KeyBytesMax)
        {
            throw new ArgumentException(
                $"Records with keys of {records.KeyBytesMax} bytes are too short.", nameof(records));
        }

        _records = records;
        Revision = 1;
        foreach ((string key, byte[] value) in records.Read(Prefix))
        {
            StoreEntry entry = Read(key[Prefix.Length..], value);
            _entries.Add(entry.Key, entry);
            Revision = Math.Max(Revision, entry.ModRevision);
        }

        foreach ((string key, byte[] value) in records.Read(RevisionKey).Where(each => each.Key == RevisionKey))
        {
            Revision = value.Length == sizeof(long)
                ? Math.Max(Revision, BinaryPrimitives.ReadInt64LittleEndian(value))
                : throw new StorageCorruptedException(key, 0, "it is no revision of the store");
        }
    }

    internal long Revision { get; private set; }

    /// <summary>The keys that are bound to a lease.</summary>
    internal IEnumerable<string> Bound => _entries.Values.Where(each => each.Lease != 0).Select(each => each.Key);

    internal IEnumerable<string> BoundTo(long lease) =>
        _entries.Values.Where(each => each.Lease == lease).Select(each => each.Key);

    internal StoreEntry? Find(string key) => _entries.GetValueOrDefault(key);

    internal StoreEntry[] Range(string prefix) =>
        [.. _entries.Values.Where(each => each.Key.StartsWith(prefix, StringComparison.Ordinal))];

    /// <summary>Makes changes durable, and then seen.</summary>
    /// <returns>What has changed; none if only keys were deleted that are not there.</returns>
    internal List<StoreChangeEvent> Apply(IReadOnlyList<StoreChange> changes)
    {
        long revision = Revision + 1;
        List<StoreChangeEvent> events = [];
        List<KeyValuePair<string, byte[]?>> records = [];
        foreach (StoreChange change in changes)
        {
            StoreEntry? before = Find(change.Key);
            if (change.Value is { } value)
            {
                var entry = new StoreEntry(
                    change.Key, (byte[])value.Clone(), before?.CreateRevision ?? revision, revision,
                    (before?.Version ?? 0) + 1, change.Lease);
                events.Add(new StoreChangeEvent(change.Key, entry, revision));
                records.Add(new(Prefix + change.Key, Write(entry)));
            }
            else if (before is not null)
            {
                events.Add(new StoreChangeEvent(change.Key, null, revision));
                records.Add(new(Prefix + change.Key, null));
            }
        }

        if (events.Count == 0)
        {
            return events;
        }

        byte[] last = new byte[sizeof(long)];
        BinaryPrimitives.WriteInt64LittleEndian(last, revision);
        records.Add(new(RevisionKey, last));
        _records.Write(records);
        Revision = revision;
        foreach (StoreChangeEvent each in events)
        {
            if (each.Entry is null)
            {
                _entries.Remove(each.Key);
            }
            else
            {
                _entries[each.Key] = each.Entry;
            }
        }

        return events;
    }

    private static byte[] Write(StoreEntry entry)
    {
        byte[] record = new byte[HeadBytes + entry.Value.Length];
        record[0] = Format;
        BinaryPrimitives.WriteInt64LittleEndian(record.AsSpan(1), entry.CreateRevision);
        BinaryPrimitives.WriteInt64LittleEndian(record.AsSpan(9), entry.ModRevision);
        BinaryPrimitives.WriteInt64LittleEndian(record.AsSpan(17), entry.Version);
        BinaryPrimitives.WriteInt64LittleEndian(record.AsSpan(25), entry.Lease);
        entry.Value.Span.CopyTo(record.AsSpan(HeadBytes));
        return record;
    }

    private static StoreEntry Read(string key, byte[] record)
    {
        if (record.Length < HeadBytes || record[0] != Format)
        {
            throw new StorageCorruptedException(
                Prefix + key, 0, $"it is no key of the store in the format {Format}");
        }

        return new StoreEntry(
            key, record.AsMemory(HeadBytes), BinaryPrimitives.ReadInt64LittleEndian(record.AsSpan(1)),
            BinaryPrimitives.ReadInt64LittleEndian(record.AsSpan(9)),
            BinaryPrimitives.ReadInt64LittleEndian(record.AsSpan(17)),
            BinaryPrimitives.ReadInt64LittleEndian(record.AsSpan(25)));
    }
}
