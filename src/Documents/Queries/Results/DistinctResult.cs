using System.Buffers;
using System.Diagnostics;

namespace Raven.Documents.Queries.Results;

/// <summary>
/// Takes the JSON of a result that may equal others, of which only a hash is wanted before it is known whether it is
/// written. A short result is kept as it is; of a long one nothing is, and it is made again if it is wanted. One thread
/// at a time.
/// </summary>
internal sealed class DistinctResult : IBufferWriter<byte>
{
    /// <summary>A longer result is not kept.</summary>
    internal const int KeptBytesMax = 64 * 1024;

    private const int BufferBytesMin = 1024;

    private ResultHash? _hash;
    private byte[] _bytes = [];
    private int _count;

    /// <summary>Whether the result is kept.</summary>
    internal bool IsKept { get; private set; } = true;

    /// <summary>The result, if it is kept.</summary>
    internal ReadOnlySpan<byte> Kept
    {
        get
        {
            Debug.Assert(IsKept);
            return _bytes.AsSpan(0, _count);
        }
    }

    /// <summary>Begins a result.</summary>
    internal void Begin()
    {
        _count = 0;
        IsKept = true;
    }

    /// <summary>Ends a result and gives its hash: that of <see cref="ResultHash.OfJson"/>.</summary>
    internal UInt128 Finish()
    {
        if (IsKept)
        {
            return ResultHash.OfJson(Kept);
        }

        _hash!.Add(_bytes.AsSpan(0, _count));
        _count = 0;
        return _hash.Finish();
    }

    /// <inheritdoc/>
    public void Advance(int count) => _count += count;

    /// <inheritdoc/>
    public Memory<byte> GetMemory(int sizeHint = 0)
    {
        MakeRoom(Math.Max(sizeHint, BufferBytesMin));
        return _bytes.AsMemory(_count);
    }

    /// <inheritdoc/>
    public Span<byte> GetSpan(int sizeHint = 0)
    {
        MakeRoom(Math.Max(sizeHint, BufferBytesMin));
        return _bytes.AsSpan(_count);
    }

    private void MakeRoom(int size)
    {
        if (_bytes.Length - _count >= size)
        {
            return;
        }

        if (_count + size > KeptBytesMax)
        {
            if (IsKept)
            {
                _hash ??= new ResultHash();
                _hash.Begin();
                IsKept = false;
            }

            _hash!.Add(_bytes.AsSpan(0, _count));
            _count = 0;
        }

        if (_bytes.Length - _count < size)
        {
            Array.Resize(ref _bytes, Math.Max(_count + size, Math.Min(2 * _bytes.Length, KeptBytesMax)));
        }
    }
}
