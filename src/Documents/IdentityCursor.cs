using System.Buffers.Binary;
using Raven.Blittable.Memory;
using Raven.Storage.Trees;

namespace Raven.Documents;

/// <summary>Walks identities by their folded names. Belongs to a snapshot and ends with it.</summary>
public ref struct IdentityCursor
{
    private TreeCursor _cursor;
    private bool _isPositioned;

    internal IdentityCursor(Tree? identities)
    {
        if (identities is not null)
        {
            _cursor = identities.GetCursor();
            _isPositioned = _cursor.SeekFirst();
        }
    }

    /// <summary>Gives the next identity; false at the end.</summary>
    /// <param name="name">Its folded name with its bar, UTF-8; valid as long as the snapshot.</param>
    /// <param name="value">The last value that was given out.</param>
    public bool MoveNext(out NativeSlice name, out long value)
    {
        if (!_isPositioned)
        {
            name = default;
            value = 0;
            return false;
        }

        name = _cursor.KeySlice;
        value = BinaryPrimitives.ReadInt64LittleEndian(_cursor.Value.Span);
        _isPositioned = _cursor.MoveNext();
        return true;
    }
}
