using System.Buffers;
using System.Text.Unicode;
using Raven.Blittable.Format;
using Raven.Blittable.Memory;
using Raven.Blittable.Reading;

namespace Raven.Blittable.Writing;

/// <summary>
/// Makes a new document from an old one with properties set and removed, without going through JSON: what does not
/// change is copied as it is stored. Changed properties keep their place, new ones come last.
/// <code>
/// BlittableObject stored = modifier.Start(document).Enter("@metadata"u8).Remove("@id"u8).Leave().Finish(mode);
/// </code>
/// One per context; allocates no managed memory once warm. The old document is not touched.
/// </summary>
public sealed class BlittableModifier
{
    private const int RootNode = 0;

    private readonly BlittableWriter _writer;
    private BlittableObject _source;
    private byte[] _bytes = new byte[256];
    private int _byteCount;
    private Node[] _nodes = new Node[4];
    private int _nodeCount;
    private Change[] _changes = new Change[8];
    private int _changeCount;
    private int _current;

    /// <summary>Makes a modifier that writes into <paramref name="arena"/>.</summary>
    public BlittableModifier(Arena arena) => _writer = new BlittableWriter(arena);

    private enum ChangeKind : byte
    {
        Remove,
        Null,
        Boolean,
        Integer,
        Text,
        Value,
    }

    private struct Node
    {
        internal int Parent;
        internal int NameStart;
        internal int NameLength;
        internal bool Written;
    }

    private struct Change
    {
        internal BlittableValue Value;
        internal long Number;
        internal int Node;
        internal int NameStart;
        internal int NameLength;
        internal int TextStart;
        internal ChangeKind Kind;
        internal bool Written;
    }

    /// <summary>Starts with the changes to a document, or, for <c>default</c>, with an empty object.</summary>
    public BlittableModifier Start(BlittableObject source)
    {
        _source = source;
        _byteCount = 0;
        _changeCount = 0;
        _nodeCount = 1;
        _nodes[RootNode] = new Node { Parent = -1 };
        _current = RootNode;
        return this;
    }

    /// <summary>
    /// Makes the following changes in the object of this name, until <see cref="Leave"/>. If there is none, a change
    /// that sets something makes one; a value that is not an object is replaced. A name that is itself set or removed
    /// is not entered: that change covers all that is in it.
    /// </summary>
    public BlittableModifier Enter(ReadOnlySpan<byte> name)
    {
        CheckStarted();
        for (int i = 1; i < _nodeCount; i++)
        {
            if (_nodes[i].Parent == _current && NameOf(_nodes[i]).SequenceEqual(name))
            {
                _current = i;
                return this;
            }
        }

        if (_nodeCount == _nodes.Length)
        {
            Array.Resize(ref _nodes, _nodeCount * 2);
        }

        _nodes[_nodeCount] = new Node { Parent = _current, NameStart = Keep(name), NameLength = name.Length };
        _current = _nodeCount++;
        return this;
    }

    /// <summary>Returns to the object around the current one.</summary>
    public BlittableModifier Leave()
    {
        CheckStarted();
        if (_current == RootNode)
        {
            throw new InvalidOperationException("The changes are at the root already.");
        }

        _current = _nodes[_current].Parent;
        return this;
    }

    /// <summary>Removes a property; does nothing if there is none.</summary>
    public BlittableModifier Remove(ReadOnlySpan<byte> name) => Add(name, new Change { Kind = ChangeKind.Remove });

    /// <summary>Sets a property to a string, UTF-8, unescaped.</summary>
    public BlittableModifier Set(ReadOnlySpan<byte> name, ReadOnlySpan<byte> utf8)
    {
        if (!Utf8.IsValid(utf8))
        {
            throw new InvalidOperationException("The string is not valid UTF-8.");
        }

        return Add(name, new Change { Kind = ChangeKind.Text, TextStart = Keep(utf8), Number = utf8.Length });
    }

    /// <summary>Sets a property to a whole number.</summary>
    public BlittableModifier Set(ReadOnlySpan<byte> name, long value) =>
        Add(name, new Change { Kind = ChangeKind.Integer, Number = value });

    /// <summary>Sets a property to true or false.</summary>
    public BlittableModifier Set(ReadOnlySpan<byte> name, bool value) =>
        Add(name, new Change { Kind = ChangeKind.Boolean, Number = value ? 1 : 0 });

    /// <summary>
    /// Sets a property to a copy of a value of any document, which must stay valid until <see cref="Finish"/>.
    /// </summary>
    public BlittableModifier Set(ReadOnlySpan<byte> name, BlittableValue value) => Add(
        name, value.Kind == ValueKind.None
            ? new Change { Kind = ChangeKind.Null }
            : new Change { Kind = ChangeKind.Value, Value = value });

    /// <summary>Sets a property to null.</summary>
    public BlittableModifier SetNull(ReadOnlySpan<byte> name) => Add(name, new Change { Kind = ChangeKind.Null });

    /// <summary>Sets every property of <paramref name="other"/> here.</summary>
    public BlittableModifier Merge(BlittableObject other)
    {
        for (int i = 0; i < other.Count; i++)
        {
            BlittableProperty property = other.GetProperty(i);
            Set(property.Name, property.Value);
        }

        return this;
    }

    /// <summary>Writes the new document.</summary>
    /// <param name="mode">How strings that were set are stored; copied strings keep their form.</param>
    public BlittableObject Finish(BlittableMode mode)
    {
        CheckStarted();
        _writer.Begin(mode);
        WriteObject(_source, RootNode);
        _nodeCount = 0;
        _source = default;
        Array.Clear(_changes, 0, _changeCount);
        return _writer.Finish().AsObject();
    }

    private void WriteObject(BlittableObject source, int node)
    {
        _writer.StartObject();
        int count = source.Count;
        int[] order = ArrayPool<int>.Shared.Rent(Math.Max(1, count));
        source.GetOriginalOrder(order);
        for (int i = 0; i < count; i++)
        {
            WriteProperty(source.GetProperty(order[i]), node);
        }

        ArrayPool<int>.Shared.Return(order);
        for (int i = 0; i < _changeCount; i++)
        {
            if (_changes[i].Node == node && !_changes[i].Written)
            {
                WriteChange(ref _changes[i]);
            }
        }

        for (int i = 1; i < _nodeCount; i++)
        {
            bool covered = _nodes[i].Written || IndexOfChange(NameOf(_nodes[i]), node) >= 0;
            if (_nodes[i].Parent == node && !covered && SetsSomething(i))
            {
                _writer.Name(NameOf(_nodes[i]));
                WriteObject(default, i);
            }
        }

        _writer.EndObject();
    }

    private void WriteProperty(BlittableProperty property, int node)
    {
        ReadOnlySpan<byte> name = property.Name;
        int change = IndexOfChange(name, node);
        if (change >= 0)
        {
            WriteChange(ref _changes[change]);
            return;
        }

        for (int i = 1; i < _nodeCount; i++)
        {
            if (_nodes[i].Parent != node || !NameOf(_nodes[i]).SequenceEqual(name))
            {
                continue;
            }

            bool isObject = property.Value.TryGetObject(out BlittableObject inner);
            if (isObject || SetsSomething(i))
            {
                _nodes[i].Written = true;
                _writer.Name(name);
                WriteObject(inner, i);
                return;
            }
        }

        _writer.Name(name);
        _writer.Value(property.Value);
    }

    private void WriteChange(ref Change change)
    {
        change.Written = true;
        if (change.Kind == ChangeKind.Remove)
        {
            return;
        }

        _writer.Name(_bytes.AsSpan(change.NameStart, change.NameLength));
        switch (change.Kind)
        {
            case ChangeKind.Null:
                _writer.Null();
                break;
            case ChangeKind.Boolean:
                _writer.Boolean(change.Number != 0);
                break;
            case ChangeKind.Integer:
                _writer.Number(change.Number);
                break;
            case ChangeKind.Text:
                _writer.String(_bytes.AsSpan(change.TextStart, (int)change.Number));
                break;
            default:
                _writer.Value(change.Value);
                break;
        }
    }

    private BlittableModifier Add(ReadOnlySpan<byte> name, Change change)
    {
        CheckStarted();
        int index = IndexOfChange(name, _current);
        if (index < 0)
        {
            if (_changeCount == _changes.Length)
            {
                Array.Resize(ref _changes, _changeCount * 2);
            }

            index = _changeCount++;
            change.NameStart = Keep(name);
        }
        else
        {
            change.NameStart = _changes[index].NameStart;
        }

        change.NameLength = name.Length;
        change.Node = _current;
        _changes[index] = change;
        return this;
    }

    private int IndexOfChange(ReadOnlySpan<byte> name, int node)
    {
        for (int i = 0; i < _changeCount; i++)
        {
            ref Change change = ref _changes[i];
            if (change.Node == node && _bytes.AsSpan(change.NameStart, change.NameLength).SequenceEqual(name))
            {
                return i;
            }
        }

        return -1;
    }

    private bool SetsSomething(int node)
    {
        for (int i = 0; i < _changeCount; i++)
        {
            if (_changes[i].Node == node && _changes[i].Kind != ChangeKind.Remove)
            {
                return true;
            }
        }

        for (int i = 1; i < _nodeCount; i++)
        {
            if (_nodes[i].Parent == node && SetsSomething(i))
            {
                return true;
            }
        }

        return false;
    }

    private ReadOnlySpan<byte> NameOf(in Node node) => _bytes.AsSpan(node.NameStart, node.NameLength);

    private int Keep(ReadOnlySpan<byte> bytes)
    {
        if (bytes.Length > _bytes.Length - _byteCount)
        {
            Array.Resize(ref _bytes, Math.Max(_bytes.Length * 2, _byteCount + bytes.Length));
        }

        bytes.CopyTo(_bytes.AsSpan(_byteCount));
        _byteCount += bytes.Length;
        return _byteCount - bytes.Length;
    }

    private void CheckStarted()
    {
        if (_nodeCount == 0)
        {
            throw new InvalidOperationException("Start comes first.");
        }
    }
}
