using System.CommandLine;
using Raven.Server.Http.Connections;
using Raven.Server.Options;

namespace Raven.CommandLine.Admin;

/// <summary>How the verbs of an administrator find the server of this machine.</summary>
internal static class AdminOptions
{
    internal static readonly Option<string?> DataDirectory = new("--DataDir")
    {
        Description = "The folder of the server's data; as for the server, from RAVEN_DataDir or settings.json",
    };

    internal static readonly Option<string?> SocketPath = new("--socket")
    {
        Description = "The server's local socket, if it is not raven.sock in the folder of the data",
    };

    /// <summary>The options of the server, as it would read them here.</summary>
    /// <exception cref="ServerOptionException">They cannot be read.</exception>
    internal static ServerOptions Read(ParseResult parsed) => Read(
        parsed.GetValue(DataDirectory) is { } folder ? [$"--DataDir={folder}"] : []);

    /// <summary>The options of the server with these arguments.</summary>
    /// <exception cref="ServerOptionException">They cannot be read.</exception>
    internal static ServerOptions Read(string[] arguments) => OptionReader.ReadUnchecked(
        arguments, Environment.GetEnvironmentVariables(), Directory.GetCurrentDirectory());

    /// <summary>Where the local socket is.</summary>
    /// <exception cref="ServerOptionException">There is none.</exception>
    internal static string SocketOf(ParseResult parsed) => parsed.GetValue(SocketPath) ?? SocketOf(Read(parsed));

    /// <summary>Where the local socket of a server with these options is.</summary>
    /// <exception cref="ServerOptionException">There is none.</exception>
    internal static string SocketOf(ServerOptions options) =>
        LocalSocket.PathOf(options with { OwnsProcess = true }) ?? throw new ServerOptionException(
            "Security.LocalSocket", "the server has no local socket, by its options.");
}
