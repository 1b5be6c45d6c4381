using System.Runtime.InteropServices;

namespace Raven.Tools.Bench;

/// <summary>The calls of the C library and of the native peers.</summary>
internal static partial class NativeMethods
{
    [LibraryImport("libc", EntryPoint = "clock_gettime")]
    internal static partial int ReadClock(int clock, out TimeSpec time);

    [LibraryImport("liblz4.so.1")]
    internal static partial int LZ4_compress_default(in byte source, ref byte target, int sourceLength, int capacity);

    [LibraryImport("liblz4.so.1")]
    internal static partial int LZ4_decompress_safe(in byte source, ref byte target, int sourceLength, int capacity);

    [LibraryImport("libxxhash.so.0")]
    internal static partial ulong XXH3_64bits_withSeed(in byte data, nuint length, ulong seed);

    [StructLayout(LayoutKind.Sequential)]
    internal struct TimeSpec
    {
        public long Seconds;
        public long Nanoseconds;
    }
}
