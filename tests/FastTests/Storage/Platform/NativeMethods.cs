using System.Runtime.InteropServices;

namespace FastTests.Storage.Platform;

/// <summary>What a process that is being started does with the descriptors of the one that starts it.</summary>
internal static partial class NativeMethods
{
    /// <summary>A second descriptor of the same open file, which shares its lock.</summary>
    [LibraryImport("libc", EntryPoint = "dup", SetLastError = true)]
    internal static partial int Duplicate(int descriptor);

    [LibraryImport("libc", EntryPoint = "close", SetLastError = true)]
    internal static partial int Close(int descriptor);
}
