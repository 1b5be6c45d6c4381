using System.Runtime.InteropServices;

namespace Raven.Tools.Bench;

/// <summary>The C library calls of the benchmarks.</summary>
internal static partial class NativeMethods
{
    [LibraryImport("libc", EntryPoint = "clock_gettime")]
    internal static partial int ReadClock(int clock, out TimeSpec time);

    [StructLayout(LayoutKind.Sequential)]
    internal struct TimeSpec
    {
        public long Seconds;
        public long Nanoseconds;
    }
}
