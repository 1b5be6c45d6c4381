namespace Raven.Documents.Catalog;

/// <summary>
/// Small records of the server itself, which belong to no database, in the storage of the catalog: who is trusted, and
/// the ends of the audit log. A write is durable when it returns, all of it or nothing. Safe for all threads.
/// </summary>
public sealed class ServerRecords
{
    /// <summary>The longest key.</summary>
    public const int KeyBytesMax = 256;

    private readonly CatalogStore _store;
    private readonly Lock _gate;

    /// <param name="store">The storage of the catalog.</param>
    /// <param name="gate">Held by each use of the storage.</param>
    internal ServerRecords(CatalogStore store, Lock gate)
    {
        _store = store;
        _gate = gate;
    }

    /// <summary>All records whose keys begin with a prefix, in the order of their keys.</summary>
    /// <param name="prefix">ASCII.</param>
    public IReadOnlyList<KeyValuePair<string, byte[]>> Read(string prefix)
    {
        ArgumentNullException.ThrowIfNull(prefix);
        lock (_gate)
        {
            return _store.ReadRecords(prefix);
        }
    }

    /// <summary>Writes records in one transaction; one whose value is null is removed.</summary>
    /// <exception cref="ArgumentException">A key is empty, too long, or not ASCII.</exception>
    public void Write(IReadOnlyCollection<KeyValuePair<string, byte[]?>> records)
    {
        ArgumentNullException.ThrowIfNull(records);
        Check(records);
        lock (_gate)
        {
            _store.WriteRecords(records);
        }
    }

    /// <summary>
    /// Replaces the records of databases by others that say the same, with some records of the server, in one
    /// transaction: no other change comes between. Etags stay as they are.
    /// </summary>
    /// <param name="rewrite">Gives what replaces the record of a database; null leaves it as it is.</param>
    /// <param name="records">Gives the records of the server.</param>
    /// <param name="done">Called when all is durable, before any other change.</param>
    public void RewriteDatabases(
        Func<DatabaseRecord, byte[]?> rewrite, Func<IReadOnlyCollection<KeyValuePair<string, byte[]?>>> records,
        Action done)
    {
        ArgumentNullException.ThrowIfNull(rewrite);
        ArgumentNullException.ThrowIfNull(records);
        ArgumentNullException.ThrowIfNull(done);
        lock (_gate)
        {
            List<CatalogEntry> entries = [];
            foreach (CatalogEntry entry in _store.ReadAll().Where(entry => entry.Damage is null))
            {
                if (rewrite(new DatabaseRecord(entry.Name, entry.Etag, entry.RecordJson)) is { } json)
                {
                    entries.Add(entry with { RecordJson = json });
                }
            }

            IReadOnlyCollection<KeyValuePair<string, byte[]?>> others = records();
            Check(others);
            _store.WriteRecords(others, entries);
            done();
        }
    }

    private static void Check(IReadOnlyCollection<KeyValuePair<string, byte[]?>> records)
    {
        foreach ((string key, _) in records)
        {
            if (key.Length is 0 or > KeyBytesMax || !System.Text.Ascii.IsValid(key))
            {
                throw new ArgumentException($"'{key}' is no key of a record.", nameof(records));
            }
        }
    }
}
