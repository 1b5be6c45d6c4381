using System.Runtime.CompilerServices;
using Raven.Blittable.Memory;
using Raven.Storage.Paging;

namespace Raven.Storage.Trees;

/// <summary>
/// A tree from a key to a sorted set of values, as an index needs it. A small set lies in the key's own entry; a larger
/// one is a tree of its own. It belongs to one transaction and one thread, and allocates nothing after its first use.
/// </summary>
public sealed class MultiTree : Structure
{
    /// <summary>The size of the longest value.</summary>
    public const int ValueSizeBytesMax = TreeLimits.KeySizeBytesMax;

    // Rewriting a set of this size costs less than the page that a tree of its own takes.
    internal const int InlineSizeMax = 512;

    // Cursors read large sets through trees of this object; at most so many at the same time.
    internal const int CursorsMax = 4;

    private readonly Tree _keys;
    private readonly Tree _nested = new();
    private readonly Tree[] _cursorTrees = [new(), new(), new(), new()];
    private int _nextCursorTree;

    internal MultiTree()
        : this(new Tree())
    {
    }

    private MultiTree(Tree keys)
        : base(keys) => _keys = keys;

    /// <inheritdoc/>
    public override StructureKind Kind => StructureKind.MultiTree;

    /// <summary>How many pairs of key and value there are; kept up to date, so that reading it is free.</summary>
    public long Count => Root.Count;

    /// <summary>How many keys there are.</summary>
    public long KeyCount => _keys.Count;

    /// <summary>Sizes and work of the tree of keys; sets that are trees of their own are not in it.</summary>
    public TreeStatistics GetStatistics() => _keys.GetStatistics();

    /// <summary>Adds a value to the set of a key.</summary>
    /// <returns>False if it is there already.</returns>
    /// <exception cref="ArgumentOutOfRangeException">The key or the value is too long.</exception>
    /// <exception cref="InvalidOperationException">The transaction only reads.</exception>
    [SkipLocalsInit]
    public bool Add(ReadOnlySpan<byte> key, ReadOnlySpan<byte> value)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan(value.Length, ValueSizeBytesMax, nameof(value));
        IPageWriter writer = Writer;
        bool isNew = true;
        if (_keys.TryGet(key, out NativeSlice stored) && ValueSet.IsNested(stored.Span))
        {
            isNew = AddNested(writer, key, value, stored.Span);
        }
        else
        {
            Span<byte> buffer = stackalloc byte[InlineSizeMax];
            int size = ValueSet.Add(stored.Span, value, buffer, out isNew);
            if (size > buffer.Length)
            {
                MakeNested(writer, key, value, stored.Span);
            }
            else if (isNew)
            {
                _keys.Put(key, buffer[..size]);
            }
        }

        Root.Count += isNew ? 1 : 0;
        return isNew;
    }

    /// <summary>Removes a value from the set of a key, and the key with its last value.</summary>
    /// <returns>False if it is not there.</returns>
    /// <exception cref="InvalidOperationException">The transaction only reads.</exception>
    [SkipLocalsInit]
    public bool Remove(ReadOnlySpan<byte> key, ReadOnlySpan<byte> value)
    {
        IPageWriter writer = Writer;
        if (!_keys.TryGet(key, out NativeSlice stored))
        {
            return false;
        }

        bool removed;
        if (ValueSet.IsNested(stored.Span))
        {
            removed = RemoveNested(writer, key, value, stored.Span);
        }
        else
        {
            Span<byte> buffer = stackalloc byte[InlineSizeMax];
            int size = ValueSet.Remove(stored.Span, value, buffer, out removed);
            if (removed)
            {
                PutOrDelete(key, buffer[..size]);
            }
        }

        Root.Count -= removed ? 1 : 0;
        return removed;
    }

    /// <summary>Removes a key with all its values.</summary>
    /// <returns>How many there were.</returns>
    /// <exception cref="InvalidOperationException">The transaction only reads.</exception>
    public long RemoveAll(ReadOnlySpan<byte> key)
    {
        IPageWriter writer = Writer;
        if (!_keys.TryGet(key, out NativeSlice stored))
        {
            return 0;
        }

        long count = ValueSet.Count(stored.Span);
        if (ValueSet.IsNested(stored.Span))
        {
            _nested.Attach(writer, ValueSet.Root(stored.Span));
            _nested.Clear();
        }

        _keys.Delete(key);
        Root.Count -= count;
        return count;
    }

    /// <summary>Whether the set of a key has a value.</summary>
    public bool Contains(ReadOnlySpan<byte> key, ReadOnlySpan<byte> value)
    {
        if (!_keys.TryGet(key, out NativeSlice stored))
        {
            return false;
        }

        if (!ValueSet.IsNested(stored.Span))
        {
            return ValueSet.Find(stored.Span, value, out _);
        }

        _nested.Attach(Pages, ValueSet.Root(stored.Span));
        return _nested.Contains(value);
    }

    /// <summary>How many values a key has.</summary>
    public long CountOf(ReadOnlySpan<byte> key) =>
        _keys.TryGet(key, out NativeSlice stored) ? ValueSet.Count(stored.Span) : 0;

    /// <summary>
    /// A cursor over the values of a key, not yet on one. At most four such cursors may be in use at the same time.
    /// </summary>
    public MultiTreeCursor GetValues(ReadOnlySpan<byte> key)
    {
        if (!_keys.TryGet(key, out NativeSlice stored))
        {
            return default;
        }

        if (!ValueSet.IsNested(stored.Span))
        {
            return new MultiTreeCursor(stored);
        }

        Tree tree = _cursorTrees[_nextCursorTree];
        _nextCursorTree = (_nextCursorTree + 1) % CursorsMax;
        tree.Attach(Pages, ValueSet.Root(stored.Span));
        return new MultiTreeCursor(tree);
    }

    /// <summary>A cursor over the keys; its values are internal.</summary>
    public TreeCursor GetKeys() => _keys.GetCursor();

    internal override void Clear()
    {
        TreeCursor cursor = _keys.GetCursor();
        for (bool found = cursor.SeekFirst(); found; found = cursor.MoveNext())
        {
            ReadOnlySpan<byte> stored = cursor.Value.Span;
            if (ValueSet.IsNested(stored))
            {
                _nested.Attach(Writer, ValueSet.Root(stored));
                _nested.Clear();
            }
        }

        base.Clear();
    }

    private protected override void OnAttached()
    {
        _nested.Detach();
        foreach (Tree tree in _cursorTrees)
        {
            tree.Detach();
        }
    }

    private bool AddNested(
        IPageWriter writer, ReadOnlySpan<byte> key, ReadOnlySpan<byte> value, ReadOnlySpan<byte> stored)
    {
        _nested.Attach(writer, ValueSet.Root(stored));
        if (_nested.Contains(value))
        {
            return false;
        }

        _nested.Reserve(value, 0);
        KeepNested(key);
        return true;
    }

    private void MakeNested(
        IPageWriter writer, ReadOnlySpan<byte> key, ReadOnlySpan<byte> value, ReadOnlySpan<byte> stored)
    {
        _nested.AttachNew(writer);
        _nested.Reserve(value, 0);
        for (int at = ValueSet.First(stored); at < stored.Length;)
        {
            _nested.Reserve(ValueSet.Value(stored, ref at), 0);
        }

        KeepNested(key);
    }

    [SkipLocalsInit]
    private bool RemoveNested(
        IPageWriter writer, ReadOnlySpan<byte> key, ReadOnlySpan<byte> value, ReadOnlySpan<byte> stored)
    {
        _nested.Attach(writer, ValueSet.Root(stored));
        if (!_nested.Delete(value))
        {
            return false;
        }

        // A set that became small moves back into its entry: only at half the size, so that it does not move
        // back and forth.
        Span<byte> buffer = stackalloc byte[InlineSizeMax / 2];
        int size = _nested.Root.Depth <= 1 ? ValueSet.Collect(_nested, buffer) : int.MaxValue;
        if (size > buffer.Length)
        {
            KeepNested(key);
        }
        else
        {
            _nested.Clear();
            PutOrDelete(key, buffer[..size]);
        }

        return true;
    }

    private void KeepNested(ReadOnlySpan<byte> key)
    {
        Span<byte> stored = _keys.Reserve(key, ValueSet.NestedSize).WritableSpan;
        stored[0] = ValueSet.NestedForm;
        _nested.WriteRoots(stored[1..]);
    }

    private void PutOrDelete(ReadOnlySpan<byte> key, ReadOnlySpan<byte> set)
    {
        if (set.Length <= 1)
        {
            _keys.Delete(key);
        }
        else
        {
            _keys.Put(key, set);
        }
    }
}
