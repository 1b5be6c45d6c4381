using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace Shared.Cluster.Processes;

/// <summary>What the kernel has for namespaces.</summary>
internal static partial class NamespaceNativeMethods
{
    /// <summary>CLONE_NEWNET: a namespace of networks.</summary>
    internal const int Network = 0x40000000;

    /// <summary>Moves the calling thread into a namespace.</summary>
    /// <param name="space">The namespace.</param>
    /// <param name="kind">Of which kind it is.</param>
    /// <returns>0, or -1 with an error.</returns>
    [LibraryImport("libc", EntryPoint = "setns", SetLastError = true)]
    internal static partial int SetNamespace(SafeFileHandle space, int kind);
}
