using System.Runtime.InteropServices;

namespace Raven.Blittable.Memory;

/// <summary>The heap of the C library, from which <see cref="NativeMemory"/> allocates.</summary>
public static class NativeHeap
{
    private static readonly bool CanTrim = OperatingSystem.IsLinux()
        && NativeLibrary.TryLoad("libc.so.6", out nint library)
        && NativeLibrary.TryGetExport(library, "malloc_trim", out _);

    /// <summary>
    /// Has the C library give memory that is free in it back to the system; does nothing for other C libraries (glibc
    /// keeps what threads have freed, unless it lies at the end of a heap). Takes milliseconds. Any thread.
    /// </summary>
    public static void GiveBack()
    {
        if (CanTrim)
        {
            _ = NativeMethods.TrimHeap(0);
        }
    }
}
