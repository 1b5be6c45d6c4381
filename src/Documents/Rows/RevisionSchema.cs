using System.Buffers.Binary;
using Raven.Documents.Ids;

namespace Raven.Documents.Rows;

//   NAME              STRUCTURE  KEY                                     VALUE
//   Revisions         RowHeap                                            rows (RowLayout), kind 3
//   Revisions.ByKey   Tree       folded id, 0x1E, etag, big-endian       int64, row
//   Revisions.ByEtag  FixedTree  etag                                    int64, row
//   Revisions.Bin     Tree       etag of a deletion's revision,          folded id
//                                big-endian
//
//   REV-1  A revision has the etag and the change vector of the version that it is: there is at most one of each.
//   REV-2  Bin names the documents that are deleted and have revisions, by the last revision of each.

/// <summary>The structures of revisions in a database. Names and layouts are part of the file format.</summary>
internal static class RevisionSchema
{
    internal const int KeySizeBytesMax = DocumentId.SizeBytesMax + 1 + sizeof(long);

    internal static ReadOnlySpan<byte> Revisions => "Revisions"u8;

    internal static ReadOnlySpan<byte> ByKey => "Revisions.ByKey"u8;

    internal static ReadOnlySpan<byte> ByEtag => "Revisions.ByEtag"u8;

    internal static ReadOnlySpan<byte> Bin => "Revisions.Bin"u8;

    /// <summary>Writes what the keys of all revisions of a document begin with.</summary>
    internal static int WritePrefix(Span<byte> target, ReadOnlySpan<byte> documentKey)
    {
        documentKey.CopyTo(target);
        target[documentKey.Length] = TombstoneKey.Separator;
        return documentKey.Length + 1;
    }

    /// <summary>Writes the key of a revision.</summary>
    internal static int WriteKey(Span<byte> target, ReadOnlySpan<byte> documentKey, long etag)
    {
        int prefix = WritePrefix(target, documentKey);
        BinaryPrimitives.WriteInt64BigEndian(target[prefix..], etag);
        return prefix + sizeof(long);
    }
}
