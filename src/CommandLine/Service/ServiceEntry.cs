using Raven.Server.Options;

namespace Raven.CommandLine.Service;

/// <summary>A server as a service of Windows: what the system's list of services has of it.</summary>
/// <param name="Name">Its name there, and that of its source in the event log.</param>
/// <param name="Account">Who it runs as; an account without a password.</param>
/// <param name="Program">The full path of raven.exe.</param>
/// <param name="Folder">The folder that it is started in: settings.json of it is read, relative paths begin there.
/// </param>
/// <param name="Options">The options of the server, as <c>--Key=Value</c>.</param>
internal sealed record ServiceEntry(
    string Name, string Account, string Program, string Folder, IReadOnlyList<string> Options)
{
    internal const string DefaultName = "raven";

    /// <summary>What follows the program in the command line of each service of ours, and of no other.</summary>
    internal const string Marker = " service run ";

    private const int NameLengthMax = 80;

    /// <summary>What the system starts.</summary>
    internal string CommandLine =>
        WindowsQuoting.Join([Program, "service", "run", "--name", Name, "--folder", Folder, .. Options]);

    /// <summary>The account that Windows makes for a service: no one else has it, and it has no password.</summary>
    internal static string OwnAccount(string name) => $@"NT SERVICE\{name}";

    /// <summary>Says why a service cannot be called so.</summary>
    /// <exception cref="FormatException">It cannot.</exception>
    internal static void CheckName(string name)
    {
        if (name.Length is 0 or > NameLengthMax
            || !name.All(c => char.IsAsciiLetterOrDigit(c) || c is '-' or '_' or '.'))
        {
            throw new FormatException(
                $"'{name}' is no name for a service: up to {NameLengthMax} letters, digits, '-', '_' and '.'.");
        }
    }

    /// <summary>Says why a service with these options would not start, or would tell what is to be kept.</summary>
    /// <returns>The options, as the server reads them beside its files.</returns>
    /// <exception cref="ServerOptionException">It would.</exception>
    internal ServerOptions Check()
    {
        ServerOptions options = OptionReader.Read(Options, new Dictionary<string, string>(), Folder);
        string? secret = OptionTable.SecretOf(OptionReader.ApplyArguments(new ServerOptions(), Options));
        return secret is null
            ? options
            : throw new ServerOptionException(
                secret, "every user of the machine can read the command line of a service: put it into settings.json "
                + $"of {Folder}, which no one else may read.");
    }
}
