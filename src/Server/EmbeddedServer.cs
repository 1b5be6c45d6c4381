using Microsoft.Extensions.Logging;
using Raven.Server.Options;

namespace Raven.Server;

/// <summary>
/// A server inside of this process: no child process, nothing to install, ready in milliseconds. It is the same server,
/// over HTTP on the loopback address, so that clients, curl and other processes of this machine can use it too.
/// </summary>
public static class EmbeddedServer
{
    /// <summary>Starts a server that keeps its databases in a folder.</summary>
    /// <param name="dataDirectory">The folder; it is created if it is missing.</param>
    /// <param name="port">The port to listen on; 0 takes a free port, which is in <see cref="ServerHost.Url"/>.</param>
    /// <param name="loggers">Takes its log; without one, nothing is logged.</param>
    /// <returns>The server. Dispose it to stop it.</returns>
    /// <exception cref="ServerStartException">The folder or the port is taken, or cannot be used.</exception>
    public static ServerHost Start(string dataDirectory, int port = 0, ILoggerFactory? loggers = null)
    {
        ArgumentException.ThrowIfNullOrEmpty(dataDirectory);
        return ServerHost.Start(
            OptionsOf(port) with { DataDirectory = Path.GetFullPath(dataDirectory) }, loggers);
    }

    /// <summary>Starts a server whose databases are deleted when it stops. For tests and trials.</summary>
    /// <param name="port">The port to listen on; 0 takes a free port.</param>
    /// <param name="loggers">Takes its log; without one, nothing is logged.</param>
    public static ServerHost StartInMemory(int port = 0, ILoggerFactory? loggers = null) =>
        ServerHost.Start(OptionsOf(port) with { RunInMemory = true }, loggers);

    /// <summary>Starts a server that speaks https, and keeps its databases in a folder.</summary>
    /// <param name="dataDirectory">The folder; it is created if it is missing.</param>
    /// <param name="security">Its certificate, good for 127.0.0.1, and whom it trusts.</param>
    /// <param name="port">The port to listen on; 0 takes a free port.</param>
    /// <param name="loggers">Takes its log; without one, nothing is logged.</param>
    /// <exception cref="ArgumentException">There is no certificate.</exception>
    /// <exception cref="ServerOptionException">The certificate cannot be used.</exception>
    /// <exception cref="ServerStartException">The folder or the port is taken, or cannot be used.</exception>
    public static ServerHost Start(
        string dataDirectory, SecurityOptions security, int port = 0, ILoggerFactory? loggers = null)
    {
        ArgumentException.ThrowIfNullOrEmpty(dataDirectory);
        return ServerHost.Start(
            OptionsOf(port, security) with { DataDirectory = Path.GetFullPath(dataDirectory) }, loggers);
    }

    /// <summary>
    /// Starts a server that speaks https, and whose databases are deleted when it stops. <see
    /// cref="EmbeddedCertificates"/> makes what it needs.
    /// </summary>
    /// <param name="security">Its certificate, good for 127.0.0.1, and whom it trusts.</param>
    /// <param name="port">The port to listen on; 0 takes a free port.</param>
    /// <param name="loggers">Takes its log; without one, nothing is logged.</param>
    /// <exception cref="ArgumentException">There is no certificate.</exception>
    public static ServerHost StartInMemory(
        SecurityOptions security, int port = 0, ILoggerFactory? loggers = null) =>
        ServerHost.Start(OptionsOf(port, security) with { RunInMemory = true }, loggers);

    private static ServerOptions OptionsOf(int port) => new() { ServerUrl = new Uri($"http://127.0.0.1:{port}") };

    private static ServerOptions OptionsOf(int port, SecurityOptions security)
    {
        ArgumentNullException.ThrowIfNull(security);
        return security.HasCertificate
            ? new ServerOptions { ServerUrl = new Uri($"https://127.0.0.1:{port}"), Security = security }
            : throw new ArgumentException(
                "A server speaks https with a certificate: set CertificatePath, or take that of EmbeddedCertificates.",
                nameof(security));
    }
}
