using System.Runtime.InteropServices;

namespace Raven.Blittable.Memory;

/// <summary>
/// Address space that is reserved first and backed by memory later. Reserving costs only addresses: 1,000 arenas of 128
/// MB take 128 GB of 128 TB. If the system refuses to reserve (an address-space limit, an unknown platform), the caller
/// falls back to <see cref="NativeMemory"/>.
/// </summary>
internal static unsafe class AddressSpace
{
    /// <summary>The step in which memory is committed; a multiple of the page size of every known platform.</summary>
    internal const int CommitStepBytes = 64 * 1024;

    /// <summary>Reserves addresses without memory behind them; null if that is not possible.</summary>
    internal static byte* TryReserve(nuint bytes)
    {
        if (OperatingSystem.IsWindows())
        {
            return (byte*)NativeMethods.VirtualAlloc(0, bytes, NativeMethods.MemoryReserve, NativeMethods.PageNoAccess);
        }

        if (!OperatingSystem.IsLinux() && !OperatingSystem.IsMacOS())
        {
            return null;
        }

        int flags = OperatingSystem.IsLinux()
            ? NativeMethods.MapPrivate | NativeMethods.MapAnonymousLinux | NativeMethods.MapNoReserveLinux
            : NativeMethods.MapPrivate | NativeMethods.MapAnonymousMac;
        nint address = NativeMethods.Map(0, bytes, NativeMethods.ProtectNone, flags, -1, 0);
        return address == -1 ? null : (byte*)address;
    }

    /// <summary>
    /// Puts memory, zeroed by the system, behind a part of a reservation; false when the system has none left.
    /// </summary>
    internal static bool TryCommit(byte* address, nuint bytes) =>
        OperatingSystem.IsWindows()
            ? NativeMethods.VirtualAlloc(
                (nint)address, bytes, NativeMethods.MemoryCommit, NativeMethods.PageReadWrite) != 0
            : NativeMethods.Protect((nint)address, bytes, NativeMethods.ProtectReadWrite) == 0;

    /// <summary>Frees the memory behind a part of a reservation; the addresses stay reserved.</summary>
    internal static void Decommit(byte* address, nuint bytes)
    {
        if (OperatingSystem.IsWindows())
        {
            NativeMethods.VirtualFree((nint)address, bytes, NativeMethods.MemoryDecommit);
            return;
        }

        NativeMethods.Advise((nint)address, bytes, NativeMethods.AdviseDontNeed);
        NativeMethods.Protect((nint)address, bytes, NativeMethods.ProtectNone);
    }

    /// <summary>Ends a reservation.</summary>
    internal static void Release(byte* address, nuint bytes)
    {
        if (OperatingSystem.IsWindows())
        {
            NativeMethods.VirtualFree((nint)address, 0, NativeMethods.MemoryRelease);
            return;
        }

        NativeMethods.Unmap((nint)address, bytes);
    }
}
