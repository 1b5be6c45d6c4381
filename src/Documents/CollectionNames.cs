using System.Buffers.Binary;
using System.Diagnostics.CodeAnalysis;
using Raven.Blittable.Memory;
using Raven.Documents.Rows;
using Raven.Storage.Errors;
using Raven.Storage.Transactions;
using Raven.Storage.Trees;

namespace Raven.Documents;

/// <summary>
/// The names of a database's collections by number, as managed bytes, so that a document handle can name its collection
/// without a search. Collections are only ever added (SCH-4): a name that is missing is read from the asking snapshot.
/// </summary>
internal sealed class CollectionNames
{
    private readonly Lock _gate = new();
    private byte[][] _names = [];

    internal bool TryGet(int id, [NotNullWhen(true)] out byte[]? name)
    {
        byte[][] names = Volatile.Read(ref _names);
        name = (uint)id < (uint)names.Length ? names[id] : null;
        return name is not null;
    }

    /// <summary>The name of a collection that the transaction sees.</summary>
    internal byte[] Load(int id, ReadTransaction transaction)
    {
        List<byte[]> names = [[]];
        Tree? tree = transaction.TryOpenTree(DocumentSchema.Collections);
        TreeCursor cursor = tree is null ? default : tree.GetCursor();
        for (bool more = tree is not null && cursor.SeekFirst(); more; more = cursor.MoveNext())
        {
            NativeSlice value = cursor.Value;
            int found = BinaryPrimitives.ReadInt32LittleEndian(value.Span);
            while (names.Count <= found)
            {
                names.Add([]);
            }

            names[found] = value.Span[sizeof(int)..].ToArray();
        }

        lock (_gate)
        {
            if (names.Count > _names.Length)
            {
                Volatile.Write(ref _names, [.. names]);
            }
        }

        return (uint)id < (uint)names.Count
            ? names[id]
            : throw new StorageCorruptedException("documents", -1, $"a row names collection {id}, which is not there");
    }
}
