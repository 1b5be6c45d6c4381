using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace Shared.Cluster.Processes;

/// <summary>What the tests of clusters call of the system.</summary>
internal static partial class NamespaceNativeMethods
{
    /// <summary>Moves this thread to another namespace: setns(2).</summary>
    [LibraryImport("libc", EntryPoint = "setns", SetLastError = true)]
    internal static partial int SetNamespace(SafeFileHandle space, int kind);
}
