using System.Buffers.Binary;
using System.Security.Cryptography;
using Raven.Blittable.Reading;
using Raven.Documents.Ids;
using Raven.Documents.Settings;
using Raven.Documents.Values;
using Raven.Storage.Trees;

namespace Raven.Documents.Rules;

//   NAME           STRUCTURE  KEY                                                                          VALUE
//   Unique.Values  Tree       int32 number, 0, int16 length, values (ValueBytes) of all fields, folded id  empty
//                             int32 number, 1, int16 32, SHA-256 of longer values, folded id               empty
//   Integers are big-endian.
//
//   UNIQ-2  A document that is in the collection of a constraint, and has a value other than null in each of its
//           fields, is under these values; a document that is not, or has not, is nowhere. While the constraint is
//           built, this is so for documents up to its built etag, and for those that were written since it was begun.
//   UNIQ-3  At the end of a transaction, the values of an active constraint have one document each.
//   UNIQ-4  The excess of a constraint that is not active is the number of its keys less that of its values.

/// <summary>Makes the keys of documents in the tree of unique values. A buffer that is used again.</summary>
internal sealed class UniqueValues
{
    /// <summary>The length of the parts of a key in front of the values.</summary>
    internal const int HeadSizeBytes = sizeof(int) + 1 + sizeof(short);

    /// <summary>The most bytes of a key without the document's.</summary>
    internal const int PrefixSizeBytesMax = HeadSizeBytes + InlineSizeBytesMax;

    /// <summary>The most bytes of a key.</summary>
    internal const int KeySizeBytesMax = PrefixSizeBytesMax + DocumentId.SizeBytesMax;

    private const int InlineSizeBytesMax = 128;

    private readonly ValueBytes _bytes = new();

    internal static ReadOnlySpan<byte> TreeName => "Unique.Values"u8;

    /// <summary>Drops all keys.</summary>
    internal void Clear() => _bytes.TruncateTo(0);

    /// <summary>A key that was added, without the document's; valid until the next one is added.</summary>
    internal ReadOnlySpan<byte> Of(int start, int length) => _bytes.Of(start, length);

    /// <summary>Adds what the key of a document begins with.</summary>
    /// <param name="constraint">The constraint.</param>
    /// <param name="document">The document.</param>
    /// <param name="start">Its place.</param>
    /// <returns>Its length; 0 if the constraint does not concern the document.</returns>
    internal int Add(UniqueConstraint constraint, BlittableObject document, out int start)
    {
        start = _bytes.Length;
        Span<byte> head = stackalloc byte[HeadSizeBytes];
        _bytes.Add(head);
        foreach (byte[][] path in constraint.Paths)
        {
            if (!TryFind(document, path, out BlittableValue value))
            {
                _bytes.TruncateTo(start);
                return 0;
            }

            _bytes.Add(value, constraint.IgnoresCase);
        }

        int length = _bytes.Length - start - HeadSizeBytes;
        bool isHashed = length > InlineSizeBytesMax;
        Span<byte> key = stackalloc byte[PrefixSizeBytesMax];
        if (isHashed)
        {
            length = SHA256.HashData(_bytes.Of(start + HeadSizeBytes, length), key[HeadSizeBytes..]);
        }
        else
        {
            _bytes.Of(start + HeadSizeBytes, length).CopyTo(key[HeadSizeBytes..]);
        }

        BinaryPrimitives.WriteInt32BigEndian(key, constraint.Number);
        key[sizeof(int)] = isHashed ? (byte)1 : (byte)0;
        BinaryPrimitives.WriteInt16BigEndian(key[(sizeof(int) + 1)..], (short)length);
        _bytes.TruncateTo(start);
        _bytes.Add(key[..(HeadSizeBytes + length)]);
        return HeadSizeBytes + length;
    }

    /// <summary>The value of a field; false if there is none, or null.</summary>
    internal static bool TryFind(BlittableObject document, byte[][] path, out BlittableValue value)
    {
        value = document.AsValue();
        foreach (byte[] name in path)
        {
            if (!value.TryGetObject(out BlittableObject parent) || !parent.TryGet(name, out value))
            {
                return false;
            }
        }

        return !value.IsNull;
    }

    /// <summary>The length of a key without the document's.</summary>
    internal static int PrefixLengthOf(ReadOnlySpan<byte> key) =>
        HeadSizeBytes + BinaryPrimitives.ReadInt16BigEndian(key[(sizeof(int) + 1)..]);

    /// <summary>Finds a document that has the values, other than one.</summary>
    /// <param name="tree">The tree of unique values.</param>
    /// <param name="prefix">The key of the values.</param>
    /// <param name="documentKey">The document that does not count.</param>
    /// <param name="holder">Takes the folded id; at least 512 bytes.</param>
    /// <returns>Its length; 0 if there is none.</returns>
    internal static int FindOther(
        Tree tree, scoped ReadOnlySpan<byte> prefix, ReadOnlySpan<byte> documentKey, Span<byte> holder)
    {
        TreeCursor cursor = tree.GetCursor();
        for (bool more = cursor.Seek(prefix); more && cursor.Key.StartsWith(prefix); more = cursor.MoveNext())
        {
            ReadOnlySpan<byte> key = cursor.Key[prefix.Length..];
            if (!key.SequenceEqual(documentKey))
            {
                key.CopyTo(holder);
                return key.Length;
            }
        }

        return 0;
    }
}
