using Raven.Blittable.Memory;
using Raven.Documents.Ids;
using Raven.Storage.Trees;

namespace Raven.Documents.Queries;

/// <summary>The search of one document, step by step, together with others. Used again for each.</summary>
internal sealed class DocumentLookup
{
    private readonly byte[] _key = new byte[DocumentId.SizeBytesMax];
    private int _length;

    /// <summary>The folded id of the document.</summary>
    internal ReadOnlySpan<byte> Key => _key.AsSpan(0, _length);

    /// <summary>What is stored of it in the index.</summary>
    internal NativeSlice Stored { get; private set; }

    /// <summary>The number of the result.</summary>
    internal int Result { get; private set; }

    /// <summary>The leaf of its id in the tree of all documents.</summary>
    internal TreeLeaf Leaf { get; set; }

    /// <summary>The number of its row; 0 if it does not exist.</summary>
    internal long RowId { get; set; }

    /// <summary>Begins the search of another document.</summary>
    internal void Begin(int result, ReadOnlySpan<byte> key, NativeSlice stored)
    {
        Result = result;
        Stored = stored;
        _length = Math.Min(key.Length, _key.Length);
        key[.._length].CopyTo(_key);
    }
}
