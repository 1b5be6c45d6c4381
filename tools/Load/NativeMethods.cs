using System.Runtime.InteropServices;

namespace Raven.Tools.Load;

/// <summary>The C library calls of the load generator.</summary>
internal static partial class NativeMethods
{
    /// <summary>Sleeps far more exactly (about 60 us late) than the framework's sleep of whole milliseconds.</summary>
    [LibraryImport("libc", EntryPoint = "nanosleep")]
    internal static partial int Sleep(in TimeSpec time, nint remaining);

    [StructLayout(LayoutKind.Sequential)]
    internal struct TimeSpec
    {
        public long Seconds;
        public long Nanoseconds;
    }
}
