using System.Buffers.Binary;
using System.Text;
using System.Text.Json;
using Raven.Documents.Indexing;
using Raven.Storage.Errors;

namespace Raven.Documents.Catalog;

//   OFFSET  SIZE  FIELD
//        0     8  Etag
//        8     2  NameLength
//       10     2  FolderLength
//       12     .  Name      ASCII, as it was created
//        .     .  Folder    ASCII
//        .     .  Record    JSON, to the end

/// <summary>
/// How the catalog keeps a database in its tree "Databases". Little-endian; see docs/formats/documents.md.
/// </summary>
internal sealed record CatalogEntry(string Name, string Folder, long Etag, byte[] RecordJson)
{
    private const int HeaderSizeBytes = 12;

    /// <summary>Why the entry cannot be read; null if it can.</summary>
    internal string? Damage { get; init; }

    internal static CatalogEntry Read(ReadOnlySpan<byte> value)
    {
        if (value.Length < HeaderSizeBytes)
        {
            throw Damaged();
        }

        int name = BinaryPrimitives.ReadUInt16LittleEndian(value[8..]);
        int folder = BinaryPrimitives.ReadUInt16LittleEndian(value[10..]);
        if (value.Length < HeaderSizeBytes + name + folder)
        {
            throw Damaged();
        }

        ReadOnlySpan<byte> texts = value[HeaderSizeBytes..];
        return new CatalogEntry(
            Encoding.ASCII.GetString(texts[..name]),
            Encoding.ASCII.GetString(texts.Slice(name, folder)),
            BinaryPrimitives.ReadInt64LittleEndian(value),
            texts[(name + folder)..].ToArray());
    }

    /// <summary>Whether the database must not be used.</summary>
    /// <param name="damage">Why it cannot be used although it is not disabled; null if it can.</param>
    internal bool IsDisabled(out string? damage)
    {
        damage = Damage;
        try
        {
            return damage is null && Raven.Documents.Catalog.RecordJson.IsDisabled(RecordJson);
        }
        catch (JsonException e)
        {
            damage = $"the record of database '{Name}' cannot be read: {e.Message}";
            return false;
        }
    }

    /// <summary>Whether nothing is indexed. What cannot be read disables nothing.</summary>
    internal bool IsIndexingDisabled
    {
        get
        {
            try
            {
                return Damage is null && Raven.Documents.Catalog.RecordJson.IsIndexingDisabled(RecordJson);
            }
            catch (JsonException)
            {
                // The database cannot be used, and says why.
                return false;
            }
        }
    }

    /// <summary>Pauses the indexes of the database or lets them go on, if a new record says so and this one does not.
    /// </summary>
    internal void SwitchIndexing(Database database, ReadOnlyMemory<byte> newRecord)
    {
        bool isPaused = Raven.Documents.Catalog.RecordJson.IsIndexingDisabled(newRecord);
        if (isPaused != IsIndexingDisabled)
        {
            (database.IndexesOrNone as DatabaseIndexes)?.Pause.SetAll(isPaused);
        }
    }

    internal byte[] Write()
    {
        byte[] value = new byte[HeaderSizeBytes + Name.Length + Folder.Length + RecordJson.Length];
        BinaryPrimitives.WriteInt64LittleEndian(value, Etag);
        BinaryPrimitives.WriteUInt16LittleEndian(value.AsSpan(8), checked((ushort)Name.Length));
        BinaryPrimitives.WriteUInt16LittleEndian(value.AsSpan(10), checked((ushort)Folder.Length));
        Encoding.ASCII.GetBytes(Name, value.AsSpan(HeaderSizeBytes));
        Encoding.ASCII.GetBytes(Folder, value.AsSpan(HeaderSizeBytes + Name.Length));
        RecordJson.CopyTo(value, HeaderSizeBytes + Name.Length + Folder.Length);
        return value;
    }

    private static StorageCorruptedException Damaged() => new("catalog", -1, "the entry of a database is too short");
}
