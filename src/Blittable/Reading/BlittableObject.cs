using System.Runtime.CompilerServices;
using Raven.Blittable.Format;
using Raven.Blittable.Memory;

namespace Raven.Blittable.Reading;

/// <summary>
/// An object inside a document: a handle, no copy. Finding a property is a binary search over its names. Valid as long
/// as the memory of the document; a plain value that may cross an await.
/// </summary>
public readonly struct BlittableObject
{
    private readonly BlittableDocument _document;
    private readonly int _metadata;
    private readonly int _entries;
    private readonly int _count;
    private readonly byte _token;

    internal BlittableObject(BlittableDocument document, int metadata, byte token)
    {
        _document = document;
        _metadata = metadata;
        _token = token;
        if (BlittableToken.OffsetSizeCode(token) != BlittableToken.SizeCodeEmpty)
        {
            ref byte start = ref Unsafe.Add(ref document.First, metadata);
            _entries = metadata + VariableLengthInteger.ReadInt32(ref start, out _count);
        }
    }

    /// <summary>
    /// Opens a document whose root is an object. The bytes are trusted: those from outside must have passed
    /// <see cref="BlittableValidator"/>.
    /// </summary>
    /// <param name="document">Exactly the bytes of one document.</param>
    /// <exception cref="InvalidOperationException">The root is not an object.</exception>
    public static BlittableObject Open(NativeSlice document) => BlittableValue.OpenRoot(document).AsObject();

    /// <summary>The memory of the whole document that this object is in.</summary>
    public NativeSlice Memory => _document.Memory;

    /// <summary>True if the handle was made from a document, not by <c>default</c>.</summary>
    public bool IsValid => _token != 0;

    /// <summary>True if this object is the whole document, not a part of one.</summary>
    public bool IsRoot => IsValid && BlittableValue.OpenRoot(_document.Memory).Position == _metadata;

    /// <summary>The number of properties.</summary>
    public int Count => _count;

    internal BlittableDocument Document => _document;

    /// <summary>This object as a value.</summary>
    public BlittableValue AsValue() => new(_document, _metadata, _token);

    /// <summary>Finds a property by name.</summary>
    /// <param name="name">UTF-8, unescaped, compared byte by byte.</param>
    /// <param name="value">Its value.</param>
    public bool TryGet(ReadOnlySpan<byte> name, out BlittableValue value)
    {
        int index = IndexOf(name);
        if (index < 0)
        {
            value = default;
            return false;
        }

        value = ValueAt(index);
        return true;
    }

    /// <summary>Finds a property by name, starting at the place of the hint's last find.</summary>
    /// <param name="hint">
    /// The name, and the place of its last find; one hint for each place in the code that searches.
    /// </param>
    /// <param name="value">Its value.</param>
    public bool TryGet(PropertyHint hint, out BlittableValue value)
    {
        int index = hint.LastIndex;
        if ((uint)index >= (uint)_count || !NameAt(index).SequenceEqual(hint.Name))
        {
            index = IndexOf(hint.Name);
            if (index < 0)
            {
                value = default;
                return false;
            }

            hint.LastIndex = index;
        }

        value = ValueAt(index);
        return true;
    }

    /// <summary>The value of a property that must exist.</summary>
    /// <exception cref="KeyNotFoundException">There is none.</exception>
    public BlittableValue this[ReadOnlySpan<byte> name] =>
        TryGet(name, out BlittableValue value) ? value : throw new KeyNotFoundException("There is no such property.");

    /// <summary>A property by its place in the order of names (bytewise).</summary>
    /// <param name="index">0 up to <see cref="Count"/>.</param>
    public BlittableProperty GetProperty(int index)
    {
        CheckIndex(index);
        return new BlittableProperty(_document, _document.NamePosition(ReadId(index)), ValueAt(index));
    }

    /// <summary>The place of a property in the order of names, or -1.</summary>
    public int IndexOf(ReadOnlySpan<byte> name)
    {
        int low = 0;
        int high = _count - 1;
        while (low <= high)
        {
            int middle = (int)((uint)(low + high) >> 1);
            int order = NameAt(middle).SequenceCompareTo(name);
            if (order == 0)
            {
                return middle;
            }

            if (order < 0)
            {
                low = middle + 1;
            }
            else
            {
                high = middle - 1;
            }
        }

        return -1;
    }

    /// <summary>Fills in the places of the properties in the order of the source.</summary>
    /// <param name="order">At least <see cref="Count"/> long.</param>
    public void GetOriginalOrder(Span<int> order)
    {
        const int onStack = 64;
        order = order[.._count];
        Span<ulong> keys = _count <= onStack ? stackalloc ulong[onStack] : new ulong[_count];
        keys = keys[.._count];
        FillOriginalOrderKeys(keys, order);
        keys.Sort(order);
    }

    /// <summary>Keys whose order is the original order: position, then values without bytes first, then id.</summary>
    internal void FillOriginalOrderKeys(Span<ulong> keys, Span<int> order)
    {
        for (int i = 0; i < keys.Length; i++)
        {
            ReadEntry(i, out int position, out int id, out byte token);
            ulong hasBytes = BlittableToken.HasNoBytes(token) ? 0u : 1u;
            keys[i] = ((ulong)(uint)position << 33) | (hasBytes << 32) | (uint)id;
            order[i] = i;
        }
    }

    /// <summary>Reads an entry: the place of its value, its property id and its token.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void ReadEntry(int index, out int position, out int id, out byte token)
    {
        int offsetCode = BlittableToken.OffsetSizeCode(_token);
        int idCode = BlittableToken.IdSizeCode(_token);
        int stride = (1 << offsetCode) + (1 << idCode) + 1;
        ref byte entry = ref Unsafe.Add(ref _document.First, _entries + (index * stride));
        position = _metadata - BlittableFormat.ReadSized(ref entry, offsetCode);
        id = BlittableFormat.ReadSized(ref Unsafe.Add(ref entry, 1 << offsetCode), idCode);
        token = Unsafe.Add(ref entry, stride - 1);
    }

    internal BlittableValue ValueAt(int index)
    {
        ReadEntry(index, out int position, out _, out byte token);
        return new BlittableValue(_document, position, token);
    }

    private int ReadId(int index)
    {
        ReadEntry(index, out _, out int id, out _);
        return id;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private ReadOnlySpan<byte> NameAt(int index) =>
        NameTable.TextAt(ref _document.First, _document.NamePosition(ReadId(index)));

    private void CheckIndex(int index)
    {
        if ((uint)index >= (uint)_count)
        {
            throw new ArgumentOutOfRangeException(nameof(index), index, $"The object has {_count} properties.");
        }
    }
}
