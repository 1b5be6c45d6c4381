using System.Buffers.Binary;

namespace Raven.Documents.Indexing.Storage;

//   OFFSET  SIZE  FIELD
//        0     1  version: 3
//        1    16  id of the database
//       17     8  last etag: every change of the index's collections up to it is in the index
//       25     8  documents that were mapped, in all
//       33     8  documents whose maps failed, in all
//       41     8  opening: in which opening of the database the seen etag was given out (OpeningHistory)
//       49     8  seen etag: the last one of the documents when the index read them

/// <summary>How far an index got: stored with its content, in the same transaction.</summary>
/// <param name="DatabaseId">The database of the changes.</param>
/// <param name="LastEtag">Every change of its collections up to this one is in it.</param>
/// <param name="MapAttempts">Documents that were mapped, in all.</param>
/// <param name="MapErrors">Documents whose maps failed, in all.</param>
/// <param name="Opening">In which opening of the database the last etag that it has seen was given out.</param>
/// <param name="SeenEtag">The last etag of the documents when it read them: a document that was changed up to then
/// could not be read under its former etag any more, even if the index is not that far.</param>
internal readonly record struct IndexPosition(
    Guid DatabaseId, long LastEtag, long MapAttempts, long MapErrors, long Opening, long SeenEtag)
{
    /// <summary>The bytes of a position.</summary>
    internal const int SizeBytes = 57;

    private const byte Version = 3;

    internal void WriteTo(Span<byte> target)
    {
        target[0] = Version;
        DatabaseId.TryWriteBytes(target[1..]);
        BinaryPrimitives.WriteInt64LittleEndian(target[17..], LastEtag);
        BinaryPrimitives.WriteInt64LittleEndian(target[25..], MapAttempts);
        BinaryPrimitives.WriteInt64LittleEndian(target[33..], MapErrors);
        BinaryPrimitives.WriteInt64LittleEndian(target[41..], Opening);
        BinaryPrimitives.WriteInt64LittleEndian(target[49..], SeenEtag);
    }

    /// <summary>Reads it.</summary>
    /// <returns>False if the bytes are no position, or of another version: then it indexes anew.</returns>
    internal static bool TryRead(ReadOnlySpan<byte> bytes, out IndexPosition position)
    {
        position = default;
        if (bytes.Length != SizeBytes || bytes[0] != Version)
        {
            return false;
        }

        position = new IndexPosition(
            new Guid(bytes.Slice(1, 16)),
            BinaryPrimitives.ReadInt64LittleEndian(bytes[17..]),
            BinaryPrimitives.ReadInt64LittleEndian(bytes[25..]),
            BinaryPrimitives.ReadInt64LittleEndian(bytes[33..]),
            BinaryPrimitives.ReadInt64LittleEndian(bytes[41..]),
            BinaryPrimitives.ReadInt64LittleEndian(bytes[49..]));
        return true;
    }
}
