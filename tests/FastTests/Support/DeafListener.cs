using System.Net;
using System.Net.Sockets;

namespace FastTests.Support;

/// <summary>An address at which no connection comes about, and none is refused: as of a machine that is away.</summary>
internal sealed class DeafListener : IDisposable
{
    private const int Enough = 4;

    private readonly Socket _listener = New();
    private readonly Socket[] _waiting = new Socket[Enough];

    internal DeafListener()
    {
        _listener.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        _listener.Listen(1);
        var address = (IPEndPoint)_listener.LocalEndPoint!;
        Url = $"http://127.0.0.1:{address.Port}";
        for (int i = 0; i < Enough; i++)
        {
            // They fill the queue of those that nobody accepts; the system then answers no more.
            _waiting[i] = New();
            _waiting[i].Blocking = false;
            try
            {
                _waiting[i].Connect(address);
            }
            catch (SocketException e) when (e.SocketErrorCode is SocketError.WouldBlock or SocketError.InProgress)
            {
                // It goes on by itself.
            }
        }
    }

    internal string Url { get; }

    public void Dispose()
    {
        foreach (Socket each in _waiting)
        {
            each.Dispose();
        }

        _listener.Dispose();
    }

    private static Socket New() => new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
}
