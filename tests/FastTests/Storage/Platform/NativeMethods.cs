using System.Runtime.InteropServices;

namespace FastTests.Storage.Platform;

/// <summary>What a process that is being started does with the descriptors of the one that starts it, and what the
/// kernel does to calls: ends them early.</summary>
internal static partial class NativeMethods
{
    internal const int ReadAndWrite = 3;
    internal const int ReadOnly = 1;
    internal const int PrivateAndAnonymous = 0x22;
    internal const int SharedAtAddress = 0x11;

    /// <summary>A second descriptor of the same open file, which shares its lock.</summary>
    [LibraryImport("libc", EntryPoint = "dup", SetLastError = true)]
    internal static partial int Duplicate(int descriptor);

    [LibraryImport("libc", EntryPoint = "close", SetLastError = true)]
    internal static partial int Close(int descriptor);

    [LibraryImport("libc", EntryPoint = "mmap", SetLastError = true)]
    internal static partial nint MemoryMap(nint address, nint length, int protection, int flags, int file, nint offset);

    [LibraryImport("libc", EntryPoint = "munmap", SetLastError = true)]
    internal static partial int MemoryUnmap(nint address, nint length);
}
