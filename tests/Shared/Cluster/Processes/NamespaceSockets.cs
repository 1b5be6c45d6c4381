using System.Net.Sockets;
using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace Shared.Cluster.Processes;

/// <summary>Opens sockets in another network namespace: a socket belongs to the one in which it was opened, whoever
/// uses it. A thread that has gone over opens them.</summary>
internal sealed class NamespaceSockets : IDisposable
{
    private readonly System.Collections.Concurrent.BlockingCollection<TaskCompletionSource<Socket>> _wanted = [];
    private readonly Thread _thread;

    /// <param name="file">The file of the namespace.</param>
    internal NamespaceSockets(string file)
    {
        _thread = new Thread(() => Open(file)) { IsBackground = true, Name = "sockets of a namespace" };
        _thread.Start();
    }

    /// <summary>Opens a socket of TCP.</summary>
    internal Task<Socket> OpenAsync()
    {
        var wanted = new TaskCompletionSource<Socket>(TaskCreationOptions.RunContinuationsAsynchronously);
        _wanted.Add(wanted);
        return wanted.Task;
    }

    public void Dispose()
    {
        _wanted.CompleteAdding();
        _thread.Join();
        _wanted.Dispose();
    }

    private void Open(string file)
    {
        int error = 0;
        using (SafeFileHandle space = File.OpenHandle(file))
        {
            int done = NamespaceNativeMethods.SetNamespace(space, NamespaceNativeMethods.Network);
            error = done == 0 ? 0 : Marshal.GetLastPInvokeError();
        }

        foreach (TaskCompletionSource<Socket> wanted in _wanted.GetConsumingEnumerable())
        {
            if (error != 0)
            {
                wanted.SetException(new IOException($"setns({file}): {Marshal.GetPInvokeErrorMessage(error)}"));
                continue;
            }

            wanted.SetResult(new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp)
            {
                NoDelay = true,
            });
        }
    }
}
