namespace FastTests.Compression;

/// <summary>
/// Memory between two pages that may be neither read nor written: one byte too far, on either side, ends the process.
/// Only on Linux; elsewhere <see cref="IsSupported"/> is false and plain arrays are used.
/// </summary>
internal sealed class GuardedBuffer : IDisposable
{
    private const int PageSize = 4096;
    private const int ReadWrite = 3;
    private const int PrivateAnonymous = 0x22;
    private readonly nint _mapping;
    private readonly nint _mappingLength;
    private readonly int _capacity;

    internal GuardedBuffer(int capacityAtLeast)
    {
        _capacity = (capacityAtLeast + PageSize - 1) / PageSize * PageSize;
        _mappingLength = _capacity + (2 * PageSize);
        _mapping = NativeMethods.MemoryMap(0, _mappingLength, ReadWrite, PrivateAnonymous, -1, 0);
        Assert.NotEqual(-1, _mapping);
        Assert.Equal(0, NativeMethods.MemoryProtect(_mapping, PageSize, 0));
        Assert.Equal(0, NativeMethods.MemoryProtect(_mapping + PageSize + _capacity, PageSize, 0));
    }

    internal static bool IsSupported => OperatingSystem.IsLinux();

    /// <summary>The last bytes before the guard page behind.</summary>
    internal unsafe Span<byte> AtEnd(int length)
    {
        Assert.InRange(length, 0, _capacity);
        return new Span<byte>((void*)(_mapping + PageSize + _capacity - length), length);
    }

    /// <summary>The first bytes behind the guard page before.</summary>
    internal unsafe Span<byte> AtStart(int length)
    {
        Assert.InRange(length, 0, _capacity);
        return new Span<byte>((void*)(_mapping + PageSize), length);
    }

    public void Dispose() => Assert.Equal(0, NativeMethods.MemoryUnmap(_mapping, _mappingLength));
}
