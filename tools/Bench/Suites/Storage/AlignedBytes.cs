using System.Runtime.InteropServices;

namespace Raven.Tools.Bench.Suites.Storage;

/// <summary>Bytes that start at a multiple of 4,096, as writes past the page cache need them.</summary>
internal sealed class AlignedBytes(int length)
{
    private const int Alignment = 4096;

    private readonly byte[] _bytes = GC.AllocateArray<byte>(length + Alignment, pinned: true);

    internal ReadOnlySpan<byte> Span
    {
        get
        {
            long start = Marshal.UnsafeAddrOfPinnedArrayElement(_bytes, 0);
            return _bytes.AsSpan((int)((Alignment - (start % Alignment)) % Alignment), length);
        }
    }
}
