using Raven.CommandLine.Admin;
using Raven.Server.Options;

namespace Raven.CommandLine;

/// <summary>
/// <c>raven setup KIND ...</c>: what makes a server secure, on its machine. While the server runs it has the folder of
/// the data; then an administrator is registered by it, over its local socket.
/// </summary>
internal static class SetupVerb
{
    internal const string Name = "setup";

    private const string AddAdministrator = "add-admin";

    /// <summary>Runs it.</summary>
    /// <param name="arguments">What follows the verb.</param>
    internal static async Task<int> RunAsync(string[] arguments)
    {
        if (arguments is [AddAdministrator, var file, .. var options]
            && SocketOf(options) is { } socket && await AdminClient.AnswersAsync(socket))
        {
            return await RavenCommand.RunAsync(
                ["cert", "add", file, "--admin", "--socket", socket], Console.Out, Console.Error);
        }

        return await Raven.Server.Program.Main(["--setup", .. arguments]);
    }

    /// <summary>The socket of a server with these options; null if there is none.</summary>
    private static string? SocketOf(string[] options)
    {
        try
        {
            return AdminOptions.SocketOf(AdminOptions.Read(options));
        }
        catch (ServerOptionException)
        {
            // The setup itself says what is wrong with them.
            return null;
        }
    }
}
