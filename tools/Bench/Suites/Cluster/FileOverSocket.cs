using System.Diagnostics;
using System.Net;
using System.Net.Sockets;

namespace Raven.Tools.Bench.Suites.Cluster;

/// <summary>What the machine can do at best: a file that is read, goes through a socket of loopback, and is written to
/// another file that is synced at its end, as <c>dd</c> at both ends would.</summary>
internal static class FileOverSocket
{
    private const int PieceBytes = 256 * 1024;

    /// <summary>Copies a file, and deletes the copy: seconds.</summary>
    internal static double Copy(string from, string to)
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        long start = Stopwatch.GetTimestamp();
        var sender = new Thread(() => Send(from, ((IPEndPoint)listener.LocalEndpoint).Port)) { IsBackground = true };
        sender.Start();
        using (Socket socket = listener.AcceptSocket())
        {
            Receive(socket, to);
        }

        double seconds = Stopwatch.GetElapsedTime(start).TotalSeconds;
        sender.Join();
        bool isWhole = new FileInfo(to).Length == new FileInfo(from).Length;
        File.Delete(to);
        return isWhole ? seconds : throw new IOException("the copy through the socket is not whole");
    }

    private static void Send(string from, int port)
    {
        using var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        socket.Connect(IPAddress.Loopback, port);
        using var file = new FileStream(from, FileMode.Open, FileAccess.Read, FileShare.ReadWrite, 1);

        // The file may grow meanwhile: what it is now is copied.
        long left = file.Length;
        byte[] piece = new byte[PieceBytes];
        while (left > 0 && file.Read(piece, 0, (int)Math.Min(piece.Length, left)) is > 0 and int read)
        {
            socket.Send(piece.AsSpan(0, read));
            left -= read;
        }
    }

    private static void Receive(Socket socket, string to)
    {
        using var file = new FileStream(to, FileMode.Create, FileAccess.Write, FileShare.None, 1);
        byte[] piece = new byte[PieceBytes];
        while (socket.Receive(piece) is > 0 and int read)
        {
            file.Write(piece, 0, read);
        }

        file.Flush(flushToDisk: true);
    }
}
