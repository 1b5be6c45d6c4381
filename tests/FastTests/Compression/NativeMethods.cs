using System.Runtime.InteropServices;

namespace FastTests.Compression;

/// <summary>
/// liblz4, the oracle of the LZ4 tests if the machine has it, and the pages of <see cref="GuardedBuffer"/>.
/// </summary>
internal static partial class NativeMethods
{
    private const string Lz4Library = "liblz4.so.1";

    internal static bool HasLz4 { get; } = NativeLibrary.TryLoad(Lz4Library, out _);

    internal static int Lz4Compress(ReadOnlySpan<byte> source, Span<byte> target) => LZ4_compress_default(
        in MemoryMarshal.GetReference(source), ref MemoryMarshal.GetReference(target), source.Length, target.Length);

    internal static int Lz4Decompress(ReadOnlySpan<byte> source, Span<byte> target) => LZ4_decompress_safe(
        in MemoryMarshal.GetReference(source), ref MemoryMarshal.GetReference(target), source.Length, target.Length);

    [LibraryImport("libc", EntryPoint = "mmap", SetLastError = true)]
    internal static partial nint MemoryMap(nint address, nint length, int protection, int flags, int file, nint offset);

    [LibraryImport("libc", EntryPoint = "mprotect", SetLastError = true)]
    internal static partial int MemoryProtect(nint address, nint length, int protection);

    [LibraryImport("libc", EntryPoint = "munmap", SetLastError = true)]
    internal static partial int MemoryUnmap(nint address, nint length);

    [LibraryImport(Lz4Library)]
    private static partial int LZ4_compress_default(in byte source, ref byte target, int sourceLength, int capacity);

    [LibraryImport(Lz4Library)]
    private static partial int LZ4_decompress_safe(in byte source, ref byte target, int sourceLength, int capacity);
}
