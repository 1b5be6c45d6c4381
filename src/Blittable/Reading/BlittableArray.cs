using System.Runtime.CompilerServices;
using Raven.Blittable.Format;

namespace Raven.Blittable.Reading;

/// <summary>An array inside a document: a handle, no copy; any element is found at once.</summary>
public readonly struct BlittableArray
{
    private readonly BlittableDocument _document;
    private readonly int _metadata;
    private readonly int _offsets;
    private readonly int _count;
    private readonly byte _token;

    internal BlittableArray(BlittableDocument document, int metadata, byte token)
    {
        _document = document;
        _metadata = metadata;
        _token = token;
        if (BlittableToken.OffsetSizeCode(token) != BlittableToken.SizeCodeEmpty)
        {
            ref byte start = ref Unsafe.Add(ref document.First, metadata);
            _offsets = metadata + VariableLengthInteger.ReadInt32(ref start, out _count);
        }
    }

    /// <summary>The number of elements.</summary>
    public int Count => _count;

    /// <summary>This array as a value.</summary>
    public BlittableValue AsValue() => new(_document, _metadata, _token);

    /// <summary>An element.</summary>
    /// <exception cref="ArgumentOutOfRangeException">There is none at this index.</exception>
    public BlittableValue this[int index]
    {
        get
        {
            if ((uint)index >= (uint)_count)
            {
                throw new ArgumentOutOfRangeException(nameof(index), index, $"The array has {_count} elements.");
            }

            return ElementAt(index);
        }
    }

    internal BlittableDocument Document => _document;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal BlittableValue ElementAt(int index)
    {
        int code = BlittableToken.OffsetSizeCode(_token);
        ref byte offsets = ref Unsafe.Add(ref _document.First, _offsets);
        int position = _metadata - BlittableFormat.ReadSized(ref Unsafe.Add(ref offsets, index << code), code);
        int tokenAt = (_count << code) + ((_token & BlittableToken.UniformElements) != 0 ? 0 : index);
        return new BlittableValue(_document, position, Unsafe.Add(ref offsets, tokenAt));
    }
}
