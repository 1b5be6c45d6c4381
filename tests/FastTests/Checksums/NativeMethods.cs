using System.Runtime.InteropServices;

namespace FastTests.Checksums;

/// <summary>The reference library, if the machine has it: the oracle of <see cref="XxHash3Tests"/>.</summary>
internal static partial class NativeMethods
{
    private const string Library = "libxxhash.so.0";

    internal static bool IsPresent { get; } = NativeLibrary.TryLoad(Library, out _);

    internal static ulong Hash(ReadOnlySpan<byte> data, ulong seed) =>
        XXH3_64bits_withSeed(in MemoryMarshal.GetReference(data), (nuint)data.Length, seed);

    [LibraryImport(Library)]
    private static partial ulong XXH3_64bits_withSeed(in byte data, nuint length, ulong seed);
}
