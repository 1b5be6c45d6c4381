using Raven.Blittable.Memory;
using Raven.Server.Documents.Ids;
using Raven.Storage.Trees;

namespace Raven.Server.Queries;

/// <summary>A document that is looked for together with others, step by step. Used again and again.</summary>
internal sealed class RowLookup
{
    private readonly byte[] _key = new byte[DocumentId.SizeBytesMax];
    private int _length;

    /// <summary>Its folded id.</summary>
    internal ReadOnlySpan<byte> Key => _key.AsSpan(0, _length);

    /// <summary>What the index stored with it.</summary>
    internal NativeSlice Stored { get; private set; }

    /// <summary>Which of the results it is.</summary>
    internal int Result { get; private set; }

    /// <summary>Where its id is among those of all documents.</summary>
    internal TreeLeaf Leaf { get; set; }

    /// <summary>Its row; 0 where it is gone.</summary>
    internal long RowId { get; set; }

    /// <summary>Looks for another one.</summary>
    internal void Begin(int result, ReadOnlySpan<byte> key, NativeSlice stored)
    {
        Result = result;
        Stored = stored;
        _length = Math.Min(key.Length, _key.Length);
        key[.._length].CopyTo(_key);
    }
}
