using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;

namespace Raven.Blittable.Writing;

//   SHAPE-1  A shape is the sequence of names an object has had so far; the tree starts at Root, the empty object.
//   SHAPE-2  No name occurs twice on a path, so an object that follows a path has no duplicate property.
//   SHAPE-3  Predictions are kept by place: behind a shape, and for the first name of an object inside the shape at its
//            place in the object around it, since similar objects have the same place.
//   SHAPE-4  The tree is bounded in nodes, in properties per path and in children searched per step: objects that do
//            not fit are handled without it, at the price of a sort per object.

/// <summary>
/// The shapes of the objects that a writer has written. While an object is written its shape is followed from name to
/// name: the most recent continuation predicts the next name, and for a known shape the sorted order is known.
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
    private KnownName[] _known = new KnownName[64];
    private int[] _predicted = new int[128];
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
        internal int FirstChild;
        internal int NextSibling;
        internal int Parent;
        internal int Properties;
        internal int Order;
    }

    /// <summary>
    /// The name that leads to a shape, with a quote behind it, to be compared in one step. Its length, with the quote,
    /// is 0 if it is too long for that or JSON would escape a character of it; one of up to 255 bytes has its length
    /// beside it, to be compared by a search. One cache line.
    /// </summary>
    [StructLayout(LayoutKind.Sequential, Size = 64)]
    internal struct KnownName
    {
        internal Vector256<byte> Text;
        internal int Length;
        internal int Name;
        internal int LongLength;
    }

    /// <summary>The place of the prediction behind a shape.</summary>
    internal static int PlaceBehind(int shape) => shape * 2;

    /// <summary>The place of the first name of an object that is at a shape of the one around it.</summary>
    internal static int PlaceInside(int shape) => (Math.Max(shape, Root) * 2) + 1;

    /// <summary>
    /// Forgets everything if the indexes of the names have changed, or too many lookups failed recently.
    /// </summary>
    internal void Begin(bool namesCleared)
    {
        if (namesCleared || _misses > MissesMax)
        {
            _count = 1;
            _ordersCount = 0;
            _misses = 0;
            _nodes[Root] = new Node { Name = -1, Parent = -1, Order = -1 };
            Array.Clear(_predicted);
        }
    }

    /// <summary>The last shape that followed at a place, or 0.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal int Predict(int place) =>
        Unsafe.Add(ref MemoryMarshal.GetArrayDataReference(_predicted), place);

    /// <summary>The name that leads to a shape.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal ref KnownName NameOf(int shape) => ref Unsafe.Add(ref MemoryMarshal.GetArrayDataReference(_known), shape);

    /// <summary>A shape with one more property, or 0; the others are behind it.</summary>
    internal int FirstChildOf(int shape) => _nodes[shape].FirstChild;

    /// <summary>Another shape that continues the same one, or 0.</summary>
    internal int NextSiblingOf(int shape) => _nodes[shape].NextSibling;

    /// <summary>Makes a shape the one that is predicted at a place.</summary>
    internal void ExpectNext(int place, int next) => _predicted[place] = next;

    /// <summary>
    /// The shape of an object after one more property, or <see cref="Unknown"/> or <see cref="Duplicate"/>.
    /// </summary>
    /// <param name="shape">The object's properties so far.</param>
    /// <param name="place">The place at which the answer is predicted from now on.</param>
    /// <param name="name">The index of the name.</param>
    internal int Follow(int shape, int place, int name)
    {
        int child = _nodes[shape].FirstChild;
        int looked = 0;
        for (; child != 0 && looked < ChildrenMax; looked++)
        {
            if (_nodes[child].Name == name)
            {
                _predicted[place] = child;
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

        return AddChild(shape, place, name);
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

    private int AddChild(int shape, int place, int name)
    {
        if (_count == _nodes.Length)
        {
            Array.Resize(ref _nodes, _count * 2);
            Array.Resize(ref _known, _count * 2);
            Array.Resize(ref _predicted, _count * 4);
        }

        _nodes[_count] = new Node
        {
            Name = name,
            Parent = shape,
            NextSibling = _nodes[shape].FirstChild,
            Properties = _nodes[shape].Properties + 1,
            Order = -1,
        };
        _known[_count].Name = name;
        _known[_count].Length = _names.ToPattern(name, out _known[_count].Text);
        _known[_count].LongLength = _names.LongPatternLength(name);
        _nodes[shape].FirstChild = _count;
        _predicted[place] = _count;
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
