using System.Net;
using System.Net.Sockets;
using System.Text;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Connections.Features;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.AspNetCore.Server.Kestrel.Transport.Sockets;
using Microsoft.Extensions.Logging;
using Raven.Security.Files;
using Raven.Server.Diagnostics;
using Raven.Server.Options;

namespace Raven.Server.Http.Connections;

//   LOCAL-1  Who connects to the local socket is an administrator if the system says that it is the server's own user
//            or root. No one else gets a byte, whatever the mode of the file is.
//   LOCAL-2  The file has the mode 0600 before the first connection is taken.
//   LOCAL-3  What is at the path is removed only if it is what a killed server has left: a link, a folder or a file
//            with contents refuses the start.

/// <summary>
/// A Unix domain socket on which the server answers its own machine: the same routes as over the network, for an
/// administrator. It exists on Linux, where the system says who has connected.
/// </summary>
internal sealed class LocalSocket
{
    /// <summary>The name of the file in the folder of the data.</summary>
    internal const string FileName = "raven.sock";

    /// <summary>The value of the option that means no socket.</summary>
    internal const string None = "none";

    // sun_path of Linux, without the zero at its end.
    private const int PathBytesMax = 107;
    private const UnixFileMode OwnerOnly = UnixFileMode.UserRead | UnixFileMode.UserWrite;

    private readonly uint _ownUser;
    private readonly ILogger _log;
    private readonly LogThrottle _refusals;

    private LocalSocket(string path, ILogger log, TimeProvider clock)
    {
        Path = path;
        _ownUser = FileOwner.OwnUser();
        _log = log;
        _refusals = new LogThrottle(clock, TimeSpan.FromSeconds(1));
    }

    /// <summary>Where it is.</summary>
    internal string Path { get; }

    /// <summary>
    /// The path of the socket: that of the option, or the usual one in the folder of the data for a process that is
    /// only a server. Null if there is none.
    /// </summary>
    internal static string? PathOf(ServerOptions options) => options.Security.LocalSocketPath switch
    {
        None => null,
        { } path => path,
        _ when options.OwnsProcess && !options.RunInMemory => UsualPath(options),
        _ => null,
    };

    /// <summary>The path that a socket has if no option says another.</summary>
    internal static string UsualPath(ServerOptions options) =>
        System.IO.Path.Combine(options.DataDirectory, FileName);

    /// <summary>Takes the path of the socket, which is not bound yet.</summary>
    /// <param name="options">The options of the server, which have the path of the socket.</param>
    /// <param name="log">Takes what is wrong.</param>
    /// <param name="clock">The clock.</param>
    /// <returns>Null if there is none.</returns>
    /// <exception cref="IOException">Something else is at its path.</exception>
    internal static LocalSocket? Claim(ServerOptions options, ILogger log, TimeProvider clock)
    {
        if (PathOf(options) is not { } path)
        {
            return null;
        }

        bool isWanted = options.Security.LocalSocketPath != null;
        if (!OperatingSystem.IsLinux())
        {
            return isWanted
                ? throw new IOException("Security.LocalSocket: there is a local socket on Linux only.")
                : null;
        }

        if (Encoding.UTF8.GetByteCount(path) > PathBytesMax)
        {
            string reason = $"{path} is longer than the {PathBytesMax} bytes that a socket's path may have: "
                + "Security.LocalSocket says another.";
            if (isWanted)
            {
                throw new IOException(reason);
            }

            ServerLog.NoLocalSocket(log, reason);
            return null;
        }

        RemoveStale(path);
        return new LocalSocket(path, log, clock);
    }

    /// <summary>Binds an address as Kestrel does, and a path so that its owner alone can connect.</summary>
    internal static Socket Bind(EndPoint address)
    {
        if (address is not UnixDomainSocketEndPoint || !OperatingSystem.IsLinux())
        {
            return SocketTransportOptions.CreateDefaultBoundListenSocket(address);
        }

        var socket = new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
        try
        {
            socket.Bind(address);
            File.SetUnixFileMode(address.ToString()!, OwnerOnly);
            return socket;
        }
        catch
        {
            socket.Dispose();
            throw;
        }
    }

    /// <summary>Has Kestrel listen there.</summary>
    internal void Listen(KestrelServerOptions kestrel) => kestrel.ListenUnixSocket(Path, listen =>
    {
        listen.Protocols = HttpProtocols.Http1;
        listen.Use(Wrap);
        listen.Use(RefusalConnection.Wrap);
    });

    /// <summary>Whether a user may use it.</summary>
    internal bool Admits(uint user) => user == _ownUser || user == 0;

    /// <summary>Lets only those in who are administrators of this machine.</summary>
    private ConnectionDelegate Wrap(ConnectionDelegate next) => connection =>
    {
        if (connection.Features.Get<IConnectionSocketFeature>() is not { Socket: { } socket })
        {
            throw new InvalidOperationException("A connection of the local socket has no socket.");
        }

        uint user = LocalPeer.UserOf(socket);
        if (!Admits(user))
        {
            if (_refusals.TryTake(out _))
            {
                ServerLog.LocalPeerRefused(_log, user);
            }

            connection.Abort();
            return Task.CompletedTask;
        }

        connection.Features.Set(new LocalPeer(user));
        return next(connection);
    };

    /// <summary>Removes the file when nothing listens any more.</summary>
    internal void Remove() => File.Delete(Path);

    private static void RemoveStale(string path)
    {
        var file = new FileInfo(path);
        if (file.LinkTarget != null || Directory.Exists(path) || (file.Exists && file.Length > 0))
        {
            throw new IOException(
                $"{path} is not a socket that a server has left: the local socket cannot be there. Look at what it "
                + "is, and remove it.");
        }

        // The lock of the data folder says that no other server has it.
        File.Delete(path);
    }
}
