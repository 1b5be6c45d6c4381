using Raven.Blittable.Memory;

namespace Raven.Storage.Trees;

/// <summary>
/// Walks the values of one key of a <see cref="MultiTree"/> in order, forward. It lives on the stack and is invalid
/// after its tree has changed.
/// </summary>
public ref struct MultiTreeCursor
{
    private readonly NativeSlice _set;
    private readonly Tree? _tree;
    private readonly int _version;
    private TreeCursor _cursor;
    private int _next;
    private int _start;
    private bool _isStarted;

    internal MultiTreeCursor(NativeSlice set)
    {
        _set = set;
        _next = ValueSet.First(set.Span);
    }

    internal MultiTreeCursor(Tree tree)
    {
        _tree = tree;
        _version = tree.Version;
        _cursor = tree.GetCursor();
    }

    /// <summary>The value that the cursor is on, in the page.</summary>
    public readonly NativeSlice Value => _tree is null ? _set.Slice(_start, _next - _start) : _cursor.KeySlice;

    /// <summary>Goes to the next value; the first time to the first one.</summary>
    /// <returns>False behind the last one.</returns>
    /// <exception cref="InvalidOperationException">More than four cursors of the tree are in use.</exception>
    public bool MoveNext()
    {
        if (_tree is not null)
        {
            bool found = IsCurrent(_tree) && (_isStarted ? _cursor.MoveNext() : _cursor.SeekFirst());
            _isStarted = true;
            return found;
        }

        if (_next >= _set.Length)
        {
            return false;
        }

        _start = _next + sizeof(ushort);
        ValueSet.Value(_set.Span, ref _next);
        return true;
    }

    /// <summary>Goes to the first value that is not before <paramref name="value"/>.</summary>
    /// <returns>False if there is none.</returns>
    public bool Seek(scoped ReadOnlySpan<byte> value)
    {
        if (_tree is not null)
        {
            _isStarted = true;
            return IsCurrent(_tree) && _cursor.Seek(value);
        }

        ValueSet.Find(_set.Span, value, out _next);
        return MoveNext();
    }

    private readonly bool IsCurrent(Tree tree) => tree.Version == _version
        ? true
        : throw new InvalidOperationException($"More than {MultiTree.CursorsMax} cursors are in use, or it changed.");
}
