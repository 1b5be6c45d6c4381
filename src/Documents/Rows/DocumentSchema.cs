using System.Globalization;
using System.Text;

namespace Raven.Documents.Rows;

//   NAME                     STRUCTURE   KEY                        VALUE
//   Database                 Tree        "Version"                  int32, FormatVersion
//                                                                   or FormatVersionWithUnique
//                                        "Id"                       16 bytes, the database's id
//                                        "LastEtag"                 int64, the last etag that was given out
//   Documents                RowHeap                                rows (RowLayout)
//   Documents.ById           Tree        folded id                  int64, row
//   Documents.ByEtag         FixedTree   etag                       int64, row
//   Tombstones               RowHeap                                rows (RowLayout)
//   Tombstones.ByKey         Tree        RowKind, then its key      int64, row
//   Tombstones.ByEtag        FixedTree   etag                       int64, row
//   Collections              Tree        folded name                int32 id, from 1; then the name as first written
//   Collection.N.Documents   FixedTree   etag                       int64, row: N is the collection's id
//   Collection.N.Tombstones  FixedTree   etag                       int64, row
//   Identities               Tree        folded name, with its '|'  int64, the last value given out
//   Openings                 FixedTree   last etag at an opening    int64, a number of it: OpeningHistory
//
//   SCH-1  A folded id is in Documents.ById or (with RowKind.Document) in Tombstones.ByKey, never in both.
//   SCH-2  Every row is in its ByEtag and in its collection's tree under its own etag, and nowhere else.
//   SCH-3  An etag is used once: no two rows of any kind share one, and LastEtag is the largest that ever was.
//   SCH-4  A collection is never removed, so that its number keeps its meaning.

/// <summary>
/// The structures of a database's storage environment. Names and layouts are part of the file format.
/// </summary>
internal static class DocumentSchema
{
    /// <summary>The version of a database without features that an older server would break.</summary>
    internal const int FormatVersion = 1;

    /// <summary>The version from the first unique constraint on: an older server would not keep it.</summary>
    internal const int FormatVersionWithUnique = 2;

    /// <summary>The last version that this server reads.</summary>
    internal const int FormatVersionMax = FormatVersionWithUnique;

    internal const int RowIdSizeBytes = sizeof(long);

    private static readonly Lock Gate = new();
    private static byte[][] _collectionDocuments = [];
    private static byte[][] _collectionTombstones = [];

    internal static ReadOnlySpan<byte> Database => "Database"u8;

    internal static ReadOnlySpan<byte> Documents => "Documents"u8;

    internal static ReadOnlySpan<byte> DocumentsById => "Documents.ById"u8;

    internal static ReadOnlySpan<byte> DocumentsByEtag => "Documents.ByEtag"u8;

    internal static ReadOnlySpan<byte> Tombstones => "Tombstones"u8;

    internal static ReadOnlySpan<byte> TombstonesByKey => "Tombstones.ByKey"u8;

    internal static ReadOnlySpan<byte> TombstonesByEtag => "Tombstones.ByEtag"u8;

    internal static ReadOnlySpan<byte> Collections => "Collections"u8;

    internal static ReadOnlySpan<byte> Identities => "Identities"u8;

    internal static ReadOnlySpan<byte> VersionKey => "Version"u8;

    internal static ReadOnlySpan<byte> IdKey => "Id"u8;

    internal static ReadOnlySpan<byte> LastEtagKey => "LastEtag"u8;

    /// <summary>The name of a collection's tree of documents. Made once, so that reading allocates nothing.</summary>
    internal static ReadOnlySpan<byte> CollectionDocuments(int id)
    {
        byte[][] names = Volatile.Read(ref _collectionDocuments);
        return id < names.Length ? names[id] : Grow(ref _collectionDocuments, id, "Documents")[id];
    }

    /// <summary>The name of a collection's tree of tombstones.</summary>
    internal static ReadOnlySpan<byte> CollectionTombstones(int id)
    {
        byte[][] names = Volatile.Read(ref _collectionTombstones);
        return id < names.Length ? names[id] : Grow(ref _collectionTombstones, id, "Tombstones")[id];
    }

    private static byte[][] Grow(ref byte[][] names, int id, string what)
    {
        lock (Gate)
        {
            if (id >= names.Length)
            {
                byte[][] grown = new byte[Math.Max(id + 1, names.Length * 2)][];
                names.CopyTo(grown, 0);
                for (int i = names.Length; i < grown.Length; i++)
                {
                    string name = string.Create(CultureInfo.InvariantCulture, $"Collection.{i}.{what}");
                    grown[i] = Encoding.ASCII.GetBytes(name);
                }

                Volatile.Write(ref names, grown);
            }

            return names;
        }
    }
}
