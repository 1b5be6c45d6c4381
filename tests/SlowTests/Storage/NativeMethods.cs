using System.Runtime.InteropServices;

namespace SlowTests.Storage;

/// <summary>What glibc keeps of memory that was freed.</summary>
internal static partial class NativeMethods
{
    /// <summary>Gives free pages back to the system, of all arenas and in the middle of them too.</summary>
    [LibraryImport("libc", EntryPoint = "malloc_trim")]
    internal static partial int TrimHeap(nuint keep);
}
