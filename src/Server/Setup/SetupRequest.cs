using Raven.Server.Options;

namespace Raven.Server.Setup;

/// <summary>What the command line asks for with <c>--setup</c>.</summary>
internal sealed record SetupRequest
{
    /// <summary>Make certificates and settings that use them.</summary>
    internal const string DevCertificate = "dev-cert";

    /// <summary>Register the certificate of a file as an administrator.</summary>
    internal const string AddAdministrator = "add-admin";

    /// <summary>The folder of the files, if none is given.</summary>
    internal const string DefaultFolder = "RavenCertificates";

    internal const string FolderKey = "--out";

    private const string Key = "--setup";
    private const string HostKey = "--host";
    private const int HostsMax = 100;

    /// <summary>What is to be done.</summary>
    internal required string Kind { get; init; }

    /// <summary>Names and addresses of the server beside those of this machine.</summary>
    internal IReadOnlyList<string> Hosts { get; init; } = [];

    /// <summary>The folder of the files that are made, a full path.</summary>
    internal string Folder { get; init; } = "";

    /// <summary>The file with the certificate of an administrator, a full path.</summary>
    internal string File { get; init; } = "";

    /// <summary>The other arguments: options of the server.</summary>
    internal IReadOnlyList<string> Rest { get; init; } = [];

    /// <summary>Whether a command line asks for a setup.</summary>
    internal static bool IsIn(IEnumerable<string> arguments) => arguments.Any(one => NameOf(one) == Key);

    /// <summary>Reads a command line.</summary>
    /// <param name="arguments">All arguments of the program.</param>
    /// <param name="currentFolder">Where paths begin that are not full.</param>
    /// <exception cref="ServerOptionException">It cannot be done; the message says how to write it.</exception>
    internal static SetupRequest Parse(IReadOnlyList<string> arguments, string currentFolder)
    {
        string kind = "";
        string? file = null;
        string folder = DefaultFolder;
        List<string> hosts = [];
        List<string> rest = [];
        for (int i = 0; i < arguments.Count; i++)
        {
            switch (NameOf(arguments[i]))
            {
                case Key:
                    kind = ValueOf(arguments, ref i);
                    if (kind == AddAdministrator && HasValue(arguments, i + 1))
                    {
                        file = arguments[++i];
                    }

                    break;
                case HostKey:
                    hosts.AddRange(HostsOf(ValueOf(arguments, ref i)));
                    break;
                case FolderKey:
                    folder = ValueOf(arguments, ref i);
                    break;
                default:
                    rest.Add(arguments[i]);
                    break;
            }
        }

        if (kind is not (DevCertificate or AddAdministrator))
        {
            throw new ServerOptionException(Key, $"'{kind}' is neither {DevCertificate} nor {AddAdministrator} FILE.");
        }

        if ((file == null) == (kind == AddAdministrator))
        {
            throw new ServerOptionException(
                Key, $"{AddAdministrator} needs the file with the certificate: {Key} {AddAdministrator} admin.crt");
        }

        return new SetupRequest
        {
            Kind = kind,
            Hosts = hosts.Count <= HostsMax
                ? hosts
                : throw new ServerOptionException(HostKey, $"There are {hosts.Count} hosts, the most are {HostsMax}."),
            Folder = Path.GetFullPath(folder, currentFolder),
            File = file == null ? "" : Path.GetFullPath(file, currentFolder),
            Rest = rest,
        };
    }

    private static string NameOf(string argument)
    {
        int equals = argument.IndexOf('=', StringComparison.Ordinal);
        return equals < 0 ? argument : argument[..equals];
    }

    private static bool HasValue(IReadOnlyList<string> arguments, int i) =>
        i < arguments.Count && !arguments[i].StartsWith("--", StringComparison.Ordinal);

    /// <summary>What stands behind the <c>=</c> of an argument, or the argument behind it.</summary>
    private static string ValueOf(IReadOnlyList<string> arguments, ref int i)
    {
        string name = NameOf(arguments[i]);
        string value = name.Length < arguments[i].Length ? arguments[i][(name.Length + 1)..]
            : HasValue(arguments, i + 1) ? arguments[++i]
            : "";
        return value.Length > 0 && !value.Contains('\0', StringComparison.Ordinal)
            ? value
            : throw new ServerOptionException(name, "it needs a value.");
    }

    private static IEnumerable<string> HostsOf(string text)
    {
        foreach (string one in text.Split(
            [',', ';'], StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries))
        {
            string host = one.Trim('[', ']');
            if (Uri.CheckHostName(host.StartsWith("*.", StringComparison.Ordinal) ? host[2..] : host)
                is not (UriHostNameType.Dns or UriHostNameType.IPv4 or UriHostNameType.IPv6))
            {
                throw new ServerOptionException(
                    HostKey, $"'{one}' is not the name of a host such as db.example, or an address.");
            }

            yield return host;
        }
    }
}
