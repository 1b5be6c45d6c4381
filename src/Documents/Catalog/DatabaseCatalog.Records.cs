using System.Diagnostics.CodeAnalysis;
using Raven.Documents.Indexing.Extensions;
using Raven.Documents.Settings;
using Raven.Storage.Errors;

namespace Raven.Documents.Catalog;

/// <summary>The records of databases, and what all databases share.</summary>
public sealed partial class DatabaseCatalog
{
    /// <summary>The configuration for clients of all databases; null if there is none.</summary>
    public ClientConfiguration? ClientConfiguration { get; private set; }

    /// <summary>Seals the secrets of records; null until it is set: they are stored as they are then.</summary>
    public IRecordSealer? RecordSealer { get; set; }

    /// <summary>Where several servers keep this together; null for a server by itself.</summary>
    public ISharedCatalog? Shared { get; set; }

    /// <summary>The record of a database.</summary>
    /// <param name="name">Its name in any case.</param>
    /// <param name="record">The record.</param>
    public bool TryGetRecord(string name, [NotNullWhen(true)] out DatabaseRecord? record)
    {
        lock (_gate)
        {
            ObjectDisposedException.ThrowIf(_isDisposed, this);
            CatalogEntry? entry = DatabaseName.IsValid(name) ? _store.TryRead(name) : null;
            ThrowIfDamaged(name);
            record = entry is null ? null : new DatabaseRecord(entry.Name, entry.Etag, entry.RecordJson);
            return record is not null;
        }
    }

    /// <summary>Replaces the record of a database; it is durable when this returns.</summary>
    /// <param name="name">Its name in any case.</param>
    /// <param name="expectedEtag">The etag that it must have; null for any.</param>
    /// <param name="recordJson">The new record.</param>
    /// <param name="etag">The etag that it has now.</param>
    /// <returns>False if there is no such database, or its record has another etag (then that is given).</returns>
    /// <exception cref="System.Text.Json.JsonException">The record is no JSON; nothing has changed.</exception>
    public bool TryUpdateRecord(string name, long? expectedEtag, ReadOnlySpan<byte> recordJson, out long etag)
    {
        byte[] record = recordJson.ToArray();
        if (Shared is { } shared)
        {
            return TryUpdateShared(shared, name, expectedEtag, record, out etag);
        }

        lock (_gate)
        {
            return TryWrite(name, expectedEtag, record, isSealed: false, out etag);
        }
    }

    /// <summary>Replaces one property of the record of a database; false if there is no such database.</summary>
    public bool TrySetInRecord(string name, string property, ReadOnlySpan<byte> json)
    {
        while (TryGetRecord(name, out DatabaseRecord? record))
        {
            if (TryUpdateRecord(name, record.Etag, RecordJson.With(record.Json, property, json), out _))
            {
                return true;
            }
        }

        return false;
    }

    /// <summary>Enables or disables a database; false if there is no such database.</summary>
    public bool TrySetDisabled(string name, bool isDisabled)
    {
        bool isThere = TrySetInRecord(name, RecordJson.Disabled, isDisabled ? "true"u8 : "false"u8);
        if (isThere && isDisabled && TryGet(name, out Database? database) && database.Replica is null)
        {
            // Its users may end what they do; when it is idle it is closed.
            database.TryClose();
        }

        return isThere;
    }

    /// <summary>Creates a database whose record all servers have already, with its secrets sealed.</summary>
    /// <param name="name">Its name.</param>
    /// <param name="record">The record.</param>
    /// <param name="database">The new database, or the one that exists already.</param>
    public CreateDatabaseStatus TryTake(string name, ReadOnlySpan<byte> record, out Database? database) =>
        TryCreate(name, record, isSealed: true, out database);

    /// <summary>Takes the record of a database that all servers have, with its secrets sealed.</summary>
    /// <param name="name">Its name in any case.</param>
    /// <param name="record">The record.</param>
    /// <returns>False if there is no such database here.</returns>
    public bool TryTakeRecord(string name, ReadOnlyMemory<byte> record)
    {
        lock (_gate)
        {
            CatalogEntry? entry = DatabaseName.IsValid(name) ? _store.TryRead(name) : null;
            return entry is not null
                && (entry.RecordJson.AsSpan().SequenceEqual(record.Span)
                    || TryWrite(name, null, record.ToArray(), isSealed: true, out _));
        }
    }

    /// <summary>Sets the configuration for clients of all databases; durable when this returns.</summary>
    public void SetClientConfiguration(byte[] json)
    {
        Shared?.ShareClientConfiguration(json);
        TakeClientConfiguration(json);
    }

    /// <summary>Takes the configuration for clients that all servers have.</summary>
    /// <param name="json">The configuration; null if there is none.</param>
    public void TakeClientConfiguration(byte[]? json)
    {
        lock (_gate)
        {
            ObjectDisposedException.ThrowIf(_isDisposed, this);
            ClientConfiguration? configuration = json is null ? null : ClientConfiguration.Parse(json);
            _store.WriteClientConfiguration(json);
            ClientConfiguration = configuration;
        }
    }

    /// <summary>The record with its secrets sealed, as it is stored.</summary>
    /// <param name="name">The name of its database.</param>
    /// <param name="record">The record as it was sent.</param>
    /// <param name="stored">The record that it replaces; null if there is none.</param>
    public byte[] Sealed(string name, ReadOnlySpan<byte> record, byte[]? stored) =>
        RecordSealer?.Seal(name, record.ToArray(), stored) ?? record.ToArray();

    /// <summary>Stores analyzers and sorters of all databases, and removes one; durable when this returns.</summary>
    /// <param name="put">Those that are stored.</param>
    /// <param name="kind">The kind of the one that is removed.</param>
    /// <param name="deleted">Its name; null for none.</param>
    /// <param name="isShared">Whether all servers have them already.</param>
    internal void WriteExtensions(
        IReadOnlyList<ExtensionSource> put, ExtensionKind kind, string? deleted, bool isShared = false)
    {
        if (!isShared)
        {
            Shared?.ShareExtensions(put, kind, deleted);
        }

        lock (_gate)
        {
            ObjectDisposedException.ThrowIf(_isDisposed, this);
            _store.WriteExtensions(put, kind, deleted);
        }
    }

    /// <summary>Replaces a record for all servers, then here (SHARE-1).</summary>
    private bool TryUpdateShared(
        ISharedCatalog shared, string name, long? expectedEtag, byte[] record, out long etag)
    {
        _ = RecordJson.IsDisabled(record);
        while (TryGetRecord(name, out DatabaseRecord? stored))
        {
            etag = stored.Etag;
            if (expectedEtag is { } expected && expected != etag)
            {
                return false;
            }

            byte[] made = Sealed(stored.Name, record, stored.Json.ToArray());
            if (shared.TryShareRecord(stored.Name, stored.Json, made))
            {
                lock (_gate)
                {
                    return TryWrite(name, null, made, isSealed: true, out etag);
                }
            }
        }

        etag = 0;
        return false;
    }

    /// <summary>Writes a record; under the lock.</summary>
    private bool TryWrite(string name, long? expectedEtag, byte[] record, bool isSealed, out long etag)
    {
        etag = 0;
        ObjectDisposedException.ThrowIf(_isDisposed, this);
        CatalogEntry? entry = DatabaseName.IsValid(name) ? _store.TryRead(name) : null;
        if (entry is null || (expectedEtag is { } expected && expected != entry.Etag))
        {
            etag = entry?.Etag ?? 0;
            return false;
        }

        bool isDisabled = RecordJson.IsDisabled(record);
        byte[] made = isSealed ? record : Sealed(entry.Name, record, entry.RecordJson);
        etag = _store.Write(entry.Name, entry.Folder, made).Etag;
        Database database = _databases[entry.Name];
        database.IsDisabled = isDisabled;
        database.Damage = null;
        entry.SwitchIndexing(database, record);
        return true;
    }

    private void ThrowIfDamaged(string name)
    {
        if (_databases.TryGetValue(name, out Database? database) && database.Damage is { } damage)
        {
            throw new StorageCorruptedException("catalog", -1, damage);
        }
    }
}
