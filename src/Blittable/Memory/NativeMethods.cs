using System.Runtime.InteropServices;

namespace Raven.Blittable.Memory;

/// <summary>The system calls of <see cref="AddressSpace"/> and <see cref="NativeHeap"/>.</summary>
internal static partial class NativeMethods
{
    internal const int ProtectNone = 0;
    internal const int ProtectReadWrite = 1 | 2;
    internal const int MapPrivate = 2;
    internal const int MapAnonymousLinux = 0x20;
    internal const int MapAnonymousMac = 0x1000;
    internal const int MapNoReserveLinux = 0x4000;
    internal const int AdviseDontNeed = 4;

    internal const uint MemoryCommit = 0x1000;
    internal const uint MemoryReserve = 0x2000;
    internal const uint MemoryDecommit = 0x4000;
    internal const uint MemoryRelease = 0x8000;
    internal const uint PageNoAccess = 0x01;
    internal const uint PageReadWrite = 0x04;

    [LibraryImport("libc", EntryPoint = "mmap", SetLastError = true)]
    internal static partial nint Map(nint address, nuint length, int protection, int flags, int file, nint offset);

    [LibraryImport("libc", EntryPoint = "munmap", SetLastError = true)]
    internal static partial int Unmap(nint address, nuint length);

    [LibraryImport("libc", EntryPoint = "mprotect", SetLastError = true)]
    internal static partial int Protect(nint address, nuint length, int protection);

    [LibraryImport("libc", EntryPoint = "madvise", SetLastError = true)]
    internal static partial int Advise(nint address, nuint length, int advice);

    [LibraryImport("libc.so.6", EntryPoint = "malloc_trim")]
    internal static partial int TrimHeap(nuint keptBytes);

    [LibraryImport("kernel32", SetLastError = true)]
    internal static partial nint VirtualAlloc(nint address, nuint size, uint type, uint protection);

    [LibraryImport("kernel32", SetLastError = true)]
    [return: MarshalAs(UnmanagedType.Bool)]
    internal static partial bool VirtualFree(nint address, nuint size, uint type);
}
