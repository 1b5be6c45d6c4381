using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Raven.Blittable.Writing;

//   SHAPE-1  A shape is the sequence of names an object has had so far; the tree starts at Root, the empty object.
//   SHAPE-2  No name occurs twice on a path, so an object that follows one has no duplicate property.
//   SHAPE-3  The tree is bounded in nodes, in properties per path and in children looked at per step: what does not fit
//            is handled without it, at the price of a sort per object.

/// <summary>
/// The shapes of the objects a writer has met. While an object is written its shape is followed from name to name: the
/// most recent continuation predicts the next name, and a shape that was met before knows its sorted order.
/// </summary>
internal sealed class ObjectShapes
{
    /// <summary>The shape of an object without properties.</summary>
    internal const int Root = 0;

    /// <summary>The object's shape is not kept.</summary>
    internal const int Unknown = -1;

    /// <summary>The object has a property of this name already.</summary>
    internal const int Duplicate = -2;

    private const int NodesMax = 16 * 1024;
    private const int PropertiesMax = 128;
    private const int ChildrenMax = 16;
    private const int MissesMax = 4096;

    private readonly PropertyNames _names;
    private Node[] _nodes = new Node[64];
    private int _count = 1;
    private byte[] _orders = new byte[1024];
    private int _ordersCount;
    private int _misses;

    internal ObjectShapes(PropertyNames names)
    {
        _names = names;
        _nodes[Root] = new Node { Name = -1, Parent = -1, Order = -1 };
    }

    private struct Node
    {
        internal int Name;
        internal int Predicted;
        internal int FirstChild;
        internal int NextSibling;
        internal int Parent;
        internal int Properties;
        internal int Order;
    }

    /// <summary>Forgets everything: the indexes of the names have changed, or too much was not found of late.</summary>
    internal void Begin(bool namesCleared)
    {
        if (namesCleared || _misses > MissesMax)
        {
            _count = 1;
            _ordersCount = 0;
            _misses = 0;
            _nodes[Root] = new Node { Name = -1, Parent = -1, Order = -1 };
        }
    }

    /// <summary>
    /// The shape that followed <paramref name="shape"/> last, and the name that led to it; 0 where none did.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal int Predict(int shape, out int name)
    {
        ref Node nodes = ref MemoryMarshal.GetArrayDataReference(_nodes);
        int predicted = Unsafe.Add(ref nodes, shape).Predicted;
        name = Unsafe.Add(ref nodes, predicted).Name;
        return predicted;
    }

    /// <summary>The name that led to a shape.</summary>
    internal int NameOf(int shape) => _nodes[shape].Name;

    /// <summary>A shape with one more property, or 0; the others are behind it.</summary>
    internal int FirstChildOf(int shape) => _nodes[shape].FirstChild;

    /// <summary>Another shape that continues the same one, or 0.</summary>
    internal int NextSiblingOf(int shape) => _nodes[shape].NextSibling;

    /// <summary>Makes a continuation the one that is predicted.</summary>
    internal void ExpectNext(int shape, int next) => _nodes[shape].Predicted = next;

    /// <summary>
    /// The shape of an object after one more property, or <see cref="Unknown"/> or <see cref="Duplicate"/>.
    /// </summary>
    internal int Follow(int shape, int name)
    {
        int child = _nodes[shape].FirstChild;
        int looked = 0;
        for (; child != 0 && looked < ChildrenMax; looked++)
        {
            if (_nodes[child].Name == name)
            {
                _nodes[shape].Predicted = child;
                return child;
            }

            child = _nodes[child].NextSibling;
        }

        for (int node = shape; node != Root; node = _nodes[node].Parent)
        {
            if (_nodes[node].Name == name)
            {
                return Duplicate;
            }
        }

        if (looked == ChildrenMax || _count == NodesMax || _nodes[shape].Properties == PropertiesMax)
        {
            _misses++;
            return Unknown;
        }

        return AddChild(shape, name);
    }

    /// <summary>
    /// The properties of a shape in the order of their names: each byte is a place in the order of arrival.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal ReadOnlySpan<byte> OrderOf(int shape)
    {
        ref Node node = ref _nodes[shape];
        return node.Order >= 0 ? _orders.AsSpan(node.Order, node.Properties) : MakeOrder(shape);
    }

    private int AddChild(int shape, int name)
    {
        if (_count == _nodes.Length)
        {
            Array.Resize(ref _nodes, _count * 2);
        }

        _nodes[_count] = new Node
        {
            Name = name,
            Parent = shape,
            NextSibling = _nodes[shape].FirstChild,
            Properties = _nodes[shape].Properties + 1,
            Order = -1,
        };
        _nodes[shape].FirstChild = _count;
        _nodes[shape].Predicted = _count;
        return _count++;
    }

    private ReadOnlySpan<byte> MakeOrder(int shape)
    {
        int count = _nodes[shape].Properties;
        if (_ordersCount + count > _orders.Length)
        {
            Array.Resize(ref _orders, Math.Max(_orders.Length * 2, _ordersCount + count));
        }

        Span<int> names = stackalloc int[PropertiesMax];
        int node = shape;
        for (int i = count - 1; i >= 0; i--)
        {
            names[i] = _nodes[node].Name;
            node = _nodes[node].Parent;
        }

        Span<byte> order = _orders.AsSpan(_ordersCount, count);
        for (int i = 0; i < count; i++)
        {
            int place = i;
            while (place > 0 && _names.Compare(names[i], names[order[place - 1]]) < 0)
            {
                order[place] = order[place - 1];
                place--;
            }

            order[place] = (byte)i;
        }

        _nodes[shape].Order = _ordersCount;
        _ordersCount += count;
        return order;
    }
}
