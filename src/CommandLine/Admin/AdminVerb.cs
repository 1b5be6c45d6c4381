using System.CommandLine;
using System.Text.Json;
using Raven.CommandLine.Import.Server;
using Raven.CommandLine.Output;
using Raven.Security.Certificates;
using Raven.Security.Secrets;
using Raven.Server;
using Raven.Server.Options;

namespace Raven.CommandLine.Admin;

/// <summary>Makes the verbs of an administrator, and says in one line why one of them failed.</summary>
internal static class AdminVerb
{
    /// <summary>A verb that talks to the server.</summary>
    /// <param name="name">The word.</param>
    /// <param name="description">What it does.</param>
    /// <param name="symbols">Its arguments and options.</param>
    /// <param name="run">Runs it.</param>
    internal static Command Of(
        string name, string description, Symbol[] symbols, Func<ParseResult, AdminClient, VerbOutput, Task<int>> run) =>
        Offline(name, description, [.. symbols, AdminOptions.SocketPath], async (parsed, output) =>
        {
            using var server = new AdminClient(AdminOptions.SocketOf(parsed));
            return await run(parsed, server, output);
        });

    /// <summary>A verb that reads the options of the server, and needs no server.</summary>
    internal static Command Offline(
        string name, string description, Symbol[] symbols, Func<ParseResult, VerbOutput, Task<int>> run)
    {
        var verb = new Command(name, description);
        foreach (Symbol symbol in symbols)
        {
            if (symbol is Argument argument)
            {
                verb.Add(argument);
            }
            else
            {
                verb.Add((Option)symbol);
            }
        }

        verb.Add(AdminOptions.DataDirectory);
        verb.Add(Verb.Json);
        verb.SetAction(parsed => RunAsync(parsed, Verb.OutputOf(parsed), run));
        return verb;
    }

    private static async Task<int> RunAsync(
        ParseResult parsed, VerbOutput output, Func<ParseResult, VerbOutput, Task<int>> run)
    {
        try
        {
            return output.End(await run(parsed, output));
        }
        catch (Exception wrong) when (wrong is ServerOptionException or FormatException or IOException
            or UnauthorizedAccessException or CertificateException or ArgumentException)
        {
            return await FailAsync(wrong.Message, ExitCode.WrongUsage);
        }
        catch (HttpRequestException unreachable)
        {
            string socket = AdminOptions.SocketOf(parsed);
            string why = File.Exists(socket)
                ? (unreachable.InnerException ?? unreachable).Message.TrimEnd('.')
                : "there is no such socket";
            return await FailAsync(
                $"No server answers at {socket}: {why}. It is in the folder of the server's data (--DataDir) while the "
                + "server runs; the server's own user and root may use it.",
                ExitCode.ServerFailed);
        }
        catch (Exception failed) when (failed is ServerException or OperationCanceledException or JsonException
            or ServerStartException or MasterKeyException)
        {
            return await FailAsync(failed.Message, ExitCode.ServerFailed);
        }

        async Task<int> FailAsync(string why, int code)
        {
            await parsed.InvocationConfiguration.Error.WriteLineAsync(why);
            return output.End(code);
        }
    }
}
