using System.Net.Sockets;

namespace FastTests.Support;

/// <summary>Connections of a test's own listener until it is stopped.</summary>
internal static class Accepting
{
    /// <summary>Waits for the next connection.</summary>
    /// <returns>
    /// Null once the listener is stopped. How it says so depends on where the stop meets it: in its wait, before it, or
    /// after it has gone.
    /// </returns>
    internal static async Task<TcpClient?> NextAsync(TcpListener listener)
    {
        try
        {
            return await listener.AcceptTcpClientAsync();
        }
        catch (Exception stopped) when (stopped is SocketException or InvalidOperationException)
        {
            return null;
        }
    }
}
