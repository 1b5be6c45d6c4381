using System.Runtime.InteropServices;

namespace Raven.Storage.Platform;

/// <summary>The C library's file, memory and thread calls, Linux x64.</summary>
internal static unsafe partial class Libc
{
    internal const int ReadWrite = 2;
    internal const int ReadOnly = 0;
    internal const int Create = 0x40;
    internal const int DataSync = 0x1000;
    internal const int Direct = 0x4000;
    internal const int Directory = 0x10000;
    internal const int NoFollow = 0x20000;
    internal const int CloseOnExec = 0x80000;
    internal const int PathOnly = 0x200000;
    internal const int OwnerAndGroup = 0x1A0;

    internal const int LockExclusive = 2;
    internal const int LockWithoutWaiting = 4;
    internal const int Unlock = 8;
    internal const int SeekEnd = 2;

    internal const int NoSuchEntry = 2;
    internal const int Interrupted = 4;
    internal const int WouldBlock = 11;
    internal const int InvalidArgument = 22;
    internal const int NoSpaceLeft = 28;
    internal const int NotSupported = 95;

    internal const int ProtectionRead = 1;
    internal const int MapShared = 1;
    internal const int AdviseFree = 8;
    internal const uint BeginWriting = 2;

    /// <summary>The longest slice that Linux gives a thread.</summary>
    internal const long SliceNanosecondsMax = 100_000_000;

    /// <summary>CLOCK_THREAD_CPUTIME_ID.</summary>
    internal const int ThreadCpuTime = 3;

    private const int SetAttributesNumber = 314;
    private const int BatchPolicy = 3;

    private const int FutexNumber = 202;
    private const int FutexWaitPrivate = 128;
    private const int FutexWakePrivate = 129;

    /// <summary>struct timespec.</summary>
    [StructLayout(LayoutKind.Sequential)]
    internal struct TimeSpec
    {
        internal long Seconds;
        internal long Nanoseconds;
    }

    [LibraryImport("libc", EntryPoint = "open", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    internal static partial int Open(string path, int flags, int mode);

    [LibraryImport("libc", EntryPoint = "close", SetLastError = true)]
    internal static partial int Close(int descriptor);

    [LibraryImport("libc", EntryPoint = "pread64", SetLastError = true)]
    internal static partial nint ReadAt(int descriptor, byte* target, nint count, long offset);

    [LibraryImport("libc", EntryPoint = "pwrite64", SetLastError = true)]
    internal static partial nint WriteAt(int descriptor, byte* source, nint count, long offset);

    [LibraryImport("libc", EntryPoint = "fdatasync", SetLastError = true)]
    internal static partial int SyncData(int descriptor);

    /// <summary>SYNC_FILE_RANGE_WRITE: begins the write; errors are left to the sync that follows.</summary>
    [LibraryImport("libc", EntryPoint = "sync_file_range")]
    internal static partial int SyncRange(int descriptor, long offset, long length, uint flags);

    [LibraryImport("libc", EntryPoint = "fsync", SetLastError = true)]
    internal static partial int Sync(int descriptor);

    [LibraryImport("libc", EntryPoint = "ftruncate64", SetLastError = true)]
    internal static partial int Truncate(int descriptor, long length);

    [LibraryImport("libc", EntryPoint = "fallocate64", SetLastError = true)]
    internal static partial int Allocate(int descriptor, int mode, long offset, long length);

    [LibraryImport("libc", EntryPoint = "lseek64", SetLastError = true)]
    internal static partial long Seek(int descriptor, long offset, int whence);

    [LibraryImport("libc", EntryPoint = "flock", SetLastError = true)]
    internal static partial int Lock(int descriptor, int operation);

    [LibraryImport("libc", EntryPoint = "mmap64", SetLastError = true)]
    internal static partial byte* Map(
        byte* address, nint length, int protection, int flags, int descriptor, long offset);

    [LibraryImport("libc", EntryPoint = "munmap", SetLastError = true)]
    internal static partial int Unmap(byte* address, nint length);

    [LibraryImport("libc", EntryPoint = "madvise", SetLastError = true)]
    internal static partial int Advise(byte* address, nint length, int advice);

    /// <summary>
    /// On Linux the niceness belongs to the calling thread. -1 may be a valid result: the error number decides.
    /// </summary>
    [LibraryImport("libc", EntryPoint = "nice", SetLastError = true)]
    internal static partial int Nice(int more);

    [LibraryImport("libc", EntryPoint = "clock_gettime")]
    internal static partial int GetTime(int clock, out TimeSpec time);

    /// <summary>True if the kernel's futexes are available.</summary>
    internal static bool HasFutex { get; } =
        OperatingSystem.IsLinux() && RuntimeInformation.ProcessArchitecture == Architecture.X64;

    /// <summary>FUTEX_WAIT_PRIVATE: sleeps if the word has that value; returns for whatever reason.</summary>
    internal static void SleepWhile(int* word, int value) =>
        _ = SystemCall(FutexNumber, word, FutexWaitPrivate, value, 0, 0, 0);

    /// <summary>FUTEX_WAKE_PRIVATE: wakes one thread that sleeps on the word.</summary>
    internal static void WakeOne(int* word) => _ = SystemCall(FutexNumber, word, FutexWakePrivate, 1, 0, 0, 0);

    /// <summary>FUTEX_WAKE_PRIVATE: wakes all threads that sleep on the word.</summary>
    internal static void WakeAll(int* word) =>
        _ = SystemCall(FutexNumber, word, FutexWakePrivate, int.MaxValue, 0, 0, 0);

    /// <summary>
    /// Sets the slice of the calling thread (sched_setattr), which kernels before 6.12 leave as it is.
    /// </summary>
    /// <param name="niceness">The niceness that it has, which is set with the slice.</param>
    /// <param name="nanoseconds">The slice.</param>
    internal static bool TrySetSlice(int niceness, long nanoseconds)
    {
        if (!HasFutex)
        {
            return false;
        }

        var attributes = new SchedulerAttributes
        {
            Size = (uint)sizeof(SchedulerAttributes),
            Policy = BatchPolicy,
            Niceness = niceness,
            Slice = (ulong)nanoseconds,
        };
        return SystemCall(SetAttributesNumber, 0, in attributes, 0) == 0;
    }

    [LibraryImport("libc", EntryPoint = "syscall")]
    private static partial nint SystemCall(nint number, nint thread, in SchedulerAttributes attributes, nint flags);

    [LibraryImport("libc", EntryPoint = "syscall")]
    private static partial nint SystemCall(
        nint number, int* word, nint operation, nint value, nint timeout, nint secondWord, nint secondValue);

    /// <summary>What sched_setattr takes, in its first version; see sched_setattr(2).</summary>
    [StructLayout(LayoutKind.Sequential)]
    private struct SchedulerAttributes
    {
        internal uint Size;
        internal uint Policy;
        internal ulong Flags;
        internal int Niceness;
        internal uint Priority;
        internal ulong Slice;
        internal ulong Deadline;
        internal ulong Period;
    }
}
