using System.Buffers.Binary;
using System.Text;
using Raven.Blittable.Memory;
using Raven.Documents.Indexing.Extensions;
using Raven.Storage.Errors;
using Raven.Storage.Options;
using Raven.Storage.Transactions;
using Raven.Storage.Trees;

namespace Raven.Documents.Catalog;

//   NAME       STRUCTURE  KEY                     VALUE
//   Databases  Tree       name in small letters   CatalogEntry
//   Deleting   Tree       folder                  nothing: the database is gone, its files are being removed
//   Kept       Tree       name in small letters   folder: the database is gone, its files stay
//   Due        Tree       name in small letters   int64: when the database has to be opened, in ticks; 0: not known
//   Catalog    Tree       "LastEtag"              int64
//                         "ClientConfiguration"   JSON: {"Etag", "Configuration"}
//   Records    Tree       key, ASCII              bytes: a record of the server (ServerRecords)
//   and the analyzers and sorters of ExtensionStore

/// <summary>The catalog's own storage environment. One thread at a time.</summary>
internal sealed class CatalogStore : IDisposable
{
    private readonly StorageEnvironment _environment;
    private readonly DiskSpaceMonitor _space;

    internal CatalogStore(StorageOptions options)
    {
        _environment = StorageEnvironment.Open(options);
        _space = new DiskSpaceMonitor(options.Clock);
    }

    /// <summary>Why it takes no writes any more; null if it does.</summary>
    internal string? Fault => _environment.Fault?.Message;

    /// <summary>Why the last write had no room; null if it had.</summary>
    internal string? Refusal => _space.Refusal;

    /// <summary>The figures of its files.</summary>
    internal StorageStatistics Statistics => _environment.GetStatistics();

    private static ReadOnlySpan<byte> Databases => "Databases"u8;

    private static ReadOnlySpan<byte> Deleting => "Deleting"u8;

    private static ReadOnlySpan<byte> Due => "Due"u8;

    private static ReadOnlySpan<byte> Kept => "Kept"u8;

    private static ReadOnlySpan<byte> Catalog => "Catalog"u8;

    private static ReadOnlySpan<byte> Records => "Records"u8;

    private static ReadOnlySpan<byte> ClientKey => "ClientConfiguration"u8;

    private static ReadOnlySpan<byte> LastEtagKey => "LastEtag"u8;

    internal List<CatalogEntry> ReadAll()
    {
        List<CatalogEntry> entries = [];
        using ReadTransaction transaction = _environment.BeginRead();
        if (transaction.TryOpenTree(Databases) is { } tree)
        {
            TreeCursor cursor = tree.GetCursor();
            for (bool more = cursor.SeekFirst(); more; more = cursor.MoveNext())
            {
                entries.Add(Read(cursor.Key, cursor.Value.Span));
            }
        }

        return entries;
    }

    private static CatalogEntry Read(ReadOnlySpan<byte> key, ReadOnlySpan<byte> value)
    {
        try
        {
            return CatalogEntry.Read(value);
        }
        catch (StorageCorruptedException e)
        {
            return new CatalogEntry(Encoding.ASCII.GetString(key), "", 0, []) { Damage = e.Message };
        }
    }

    /// <summary>Folders of deleted databases that may still exist.</summary>
    internal List<string> ReadDeleting()
    {
        List<string> folders = [];
        using ReadTransaction transaction = _environment.BeginRead();
        if (transaction.TryOpenTree(Deleting) is { } tree)
        {
            TreeCursor cursor = tree.GetCursor();
            for (bool more = cursor.SeekFirst(); more; more = cursor.MoveNext())
            {
                folders.Add(Encoding.ASCII.GetString(cursor.Key));
            }
        }

        return folders;
    }

    internal CatalogEntry? TryRead(string name)
    {
        using ReadTransaction transaction = _environment.BeginRead();
        return transaction.TryOpenTree(Databases) is { } tree && tree.TryGet(KeyOf(name), out NativeSlice value)
            ? CatalogEntry.Read(value.Span)
            : null;
    }

    /// <summary>Keeps an entry, under a new etag.</summary>
    /// <param name="name">The database.</param>
    /// <param name="folder">Its folder.</param>
    /// <param name="recordJson">Its record.</param>
    /// <param name="isCopy">Whether the folder was noted as being deleted until now.</param>
    internal CatalogEntry Write(string name, string folder, ReadOnlySpan<byte> recordJson, bool isCopy = false)
    {
        using WriteTransaction transaction = _environment.BeginWrite();
        Tree catalog = transaction.OpenOrCreateTree(Catalog);
        long etag = 1 + (catalog.TryGet(LastEtagKey, out NativeSlice last)
            ? BinaryPrimitives.ReadInt64LittleEndian(last.Span)
            : 0);
        Span<byte> value = stackalloc byte[sizeof(long)];
        BinaryPrimitives.WriteInt64LittleEndian(value, etag);
        catalog.Put(LastEtagKey, value);
        CatalogEntry entry = new(name, folder, etag, recordJson.ToArray());
        transaction.OpenOrCreateTree(Databases).Put(KeyOf(name), entry.Write());
        transaction.OpenOrCreateTree(Kept).Delete(KeyOf(name));
        if (isCopy)
        {
            transaction.OpenOrCreateTree(Deleting).Delete(Encoding.ASCII.GetBytes(folder));
        }

        Commit(transaction);
        return entry;
    }

    /// <summary>The folder that a deleted database of this name left its files in; null if there is none.</summary>
    internal string? TryReadKept(string name)
    {
        using ReadTransaction transaction = _environment.BeginRead();
        return transaction.TryOpenTree(Kept) is { } tree && tree.TryGet(KeyOf(name), out NativeSlice folder)
            ? Encoding.ASCII.GetString(folder.Span)
            : null;
    }

    /// <summary>The names of deleted databases whose files are in a folder.</summary>
    internal List<string> ReadKeptOf(string folder)
    {
        List<string> names = [];
        byte[] wanted = Encoding.ASCII.GetBytes(folder);
        using ReadTransaction transaction = _environment.BeginRead();
        if (transaction.TryOpenTree(Kept) is { } tree)
        {
            TreeCursor cursor = tree.GetCursor();
            for (bool more = cursor.SeekFirst(); more; more = cursor.MoveNext())
            {
                if (cursor.Value.Span.SequenceEqual(wanted))
                {
                    names.Add(Encoding.ASCII.GetString(cursor.Key));
                }
            }
        }

        return names;
    }

    /// <summary>The files of a database are in another folder now, and the old one is being removed.</summary>
    /// <param name="entry">The database as it is.</param>
    /// <param name="folder">The folder that it is in now.</param>
    /// <param name="begun">Called before that may be durable: what fails earlier has changed nothing.</param>
    internal void Move(CatalogEntry entry, string folder, Action begun)
    {
        using WriteTransaction transaction = _environment.BeginWrite();
        begun();
        transaction.OpenOrCreateTree(Databases).Put(KeyOf(entry.Name), (entry with { Folder = folder }).Write());
        Tree deleting = transaction.OpenOrCreateTree(Deleting);
        deleting.Delete(Encoding.ASCII.GetBytes(folder));
        deleting.Put(Encoding.ASCII.GetBytes(entry.Folder), default);
        Commit(transaction);
    }

    /// <summary>Notes a folder that is to be removed, unless a later entry names it.</summary>
    internal void NoteDeleting(string folder)
    {
        using WriteTransaction transaction = _environment.BeginWrite();
        transaction.OpenOrCreateTree(Deleting).Put(Encoding.ASCII.GetBytes(folder), default);
        Commit(transaction);
    }

    /// <summary>Removes an entry; if its files go too, notes that in the same transaction.</summary>
    internal void Remove(CatalogEntry entry, bool withFiles)
    {
        using WriteTransaction transaction = _environment.BeginWrite();
        transaction.OpenOrCreateTree(Databases).Delete(KeyOf(entry.Name));
        transaction.OpenOrCreateTree(Due).Delete(KeyOf(entry.Name));
        if (withFiles)
        {
            transaction.OpenOrCreateTree(Deleting).Put(Encoding.ASCII.GetBytes(entry.Folder), default);
        }
        else
        {
            transaction.OpenOrCreateTree(Kept).Put(KeyOf(entry.Name), Encoding.ASCII.GetBytes(entry.Folder));
        }

        Commit(transaction);
    }

    /// <summary>Removes the note of a folder whose files are gone.</summary>
    internal void ForgetDeleting(string folder)
    {
        using WriteTransaction transaction = _environment.BeginWrite();
        transaction.OpenOrCreateTree(Deleting).Delete(Encoding.ASCII.GetBytes(folder));
        Commit(transaction);
    }

    /// <summary>When a database has to be opened; <see cref="long.MaxValue"/> if never.</summary>
    internal long ReadDue(string name)
    {
        using ReadTransaction transaction = _environment.BeginRead();
        return transaction.TryOpenTree(Due) is { } tree && tree.TryGet(KeyOf(name), out NativeSlice ticks)
            ? BinaryPrimitives.ReadInt64LittleEndian(ticks.Span)
            : long.MaxValue;
    }

    /// <summary>Remembers when a database has to be opened.</summary>
    internal void WriteDue(string name, long ticks)
    {
        using WriteTransaction transaction = _environment.BeginWrite();
        Span<byte> value = stackalloc byte[sizeof(long)];
        BinaryPrimitives.WriteInt64LittleEndian(value, ticks);
        transaction.OpenOrCreateTree(Due).Put(KeyOf(name), value);
        Commit(transaction);
    }

    /// <summary>The configuration for clients of all databases; null if there is none.</summary>
    internal byte[]? ReadClientConfiguration()
    {
        using ReadTransaction transaction = _environment.BeginRead();
        return transaction.TryOpenTree(Catalog) is { } tree && tree.TryGet(ClientKey, out NativeSlice value)
            ? value.Span.ToArray()
            : null;
    }

    /// <summary>Stores the configuration for clients of all databases; null removes it.</summary>
    internal void WriteClientConfiguration(byte[]? json)
    {
        using WriteTransaction transaction = _environment.BeginWrite();
        Tree catalog = transaction.OpenOrCreateTree(Catalog);
        if (json is null)
        {
            catalog.Delete(ClientKey);
        }
        else
        {
            catalog.Put(ClientKey, json);
        }

        Commit(transaction);
    }

    /// <summary>The analyzers and sorters of all databases.</summary>
    internal List<ExtensionSource> ReadExtensions()
    {
        using ReadTransaction transaction = _environment.BeginRead();
        return ExtensionStore.ReadAll(transaction);
    }

    /// <summary>Stores some analyzers and sorters, and removes one.</summary>
    internal void WriteExtensions(IEnumerable<ExtensionSource> put, ExtensionKind kind, string? deleted)
    {
        using WriteTransaction transaction = _environment.BeginWrite();
        ExtensionStore.Write(transaction, put, kind, deleted);
        Commit(transaction);
    }

    /// <summary>The records of the server whose keys begin with a prefix.</summary>
    internal List<KeyValuePair<string, byte[]>> ReadRecords(string prefix)
    {
        List<KeyValuePair<string, byte[]>> records = [];
        byte[] first = Encoding.ASCII.GetBytes(prefix);
        using ReadTransaction transaction = _environment.BeginRead();
        if (transaction.TryOpenTree(Records) is { } tree)
        {
            TreeCursor cursor = tree.GetCursor();
            bool more = first.Length == 0 ? cursor.SeekFirst() : cursor.Seek(first);
            for (; more && cursor.Key.StartsWith(first); more = cursor.MoveNext())
            {
                records.Add(new(Encoding.ASCII.GetString(cursor.Key), cursor.Value.Span.ToArray()));
            }
        }

        return records;
    }

    /// <summary>Writes records of the server, of which one without a value is removed, and entries that only say the
    /// same in another way.</summary>
    internal void WriteRecords(
        IReadOnlyCollection<KeyValuePair<string, byte[]?>> records, IReadOnlyCollection<CatalogEntry>? entries = null)
    {
        using WriteTransaction transaction = _environment.BeginWrite();
        Tree tree = transaction.OpenOrCreateTree(Records);
        foreach ((string key, byte[]? value) in records)
        {
            if (value == null)
            {
                tree.Delete(Encoding.ASCII.GetBytes(key));
            }
            else
            {
                tree.Put(Encoding.ASCII.GetBytes(key), value);
            }
        }

        foreach (CatalogEntry entry in entries ?? [])
        {
            transaction.OpenOrCreateTree(Databases).Put(KeyOf(entry.Name), entry.Write());
        }

        Commit(transaction);
    }

    /// <inheritdoc/>
    public void Dispose() => _environment.Dispose();

    private void Commit(WriteTransaction transaction)
    {
        try
        {
            transaction.Commit();
            _space.Written();
        }
        catch (StorageIOException e) when (e.IsDiskFull)
        {
            _space.Refused(e);
            throw;
        }
    }

    private static byte[] KeyOf(string name) => Encoding.ASCII.GetBytes(name.ToLowerInvariant());
}
