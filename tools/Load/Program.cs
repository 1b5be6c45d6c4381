using System.CommandLine;
using System.Globalization;
using System.Net;
using System.Net.Sockets;

namespace Raven.Tools.Load;

/// <summary>
/// <c>Load -c 100 -r 25000 -u http://localhost:8080/build/version</c>. Exit code 0 if every request succeeded, 1 if one
/// did not, 2 for a wrong command line.
/// </summary>
internal static class Program
{
    private const int PlainPort = 80;
    private const int SecurePort = 443;

    private static readonly Option<int> Clients = new("-c")
    {
        Description = "Concurrent clients",
        DefaultValueFactory = _ => 100,
    };

    private static readonly Option<long> Requests = new("-r")
    {
        Description = "Requests per client",
        DefaultValueFactory = _ => 0,
    };

    private static readonly Option<string?> Url = new("-u")
    {
        Description = "The url; {n} in it stands for the number of the request",
    };

    private static readonly Option<FileInfo?> UrlFile = new("-f")
    {
        Description = "A file of urls, one a line, taken in turn",
    };

    private static readonly Option<double> Seconds = new("-t")
    {
        Description = "Test time in seconds",
        DefaultValueFactory = _ => 0,
    };

    private static readonly Option<FileInfo?> Data = new("-d")
    {
        Description = "A file with the body to send ({n} as in the url)",
    };

    private static readonly Option<bool> KeepAlive = new("-k")
    {
        Description = "Keep connections alive; false makes a new one, with its handshake, for each request",
        DefaultValueFactory = _ => true,
    };

    private static readonly Option<string?> Method = new("-X")
    {
        Description = "The method; GET, or with a body POST, if not given",
    };

    private static readonly Option<string[]> Headers = new("-H")
    {
        Description = "A header to send, as 'Name: value'",
        DefaultValueFactory = _ => [],
    };

    private static readonly Option<double> Rate = new("--rate")
    {
        Description = "Requests a second of all clients together; latency counts from when a request was due",
        DefaultValueFactory = _ => 0,
    };

    private static readonly Option<long> WarmUp = new("--warm-up")
    {
        Description = "Requests per client before the measured run",
        DefaultValueFactory = _ => 0,
    };

    private static readonly Option<long> First = new("--first")
    {
        Description = "The number of the first request",
        DefaultValueFactory = _ => 0,
    };

    private static readonly Option<FileInfo?> Certificate = new("--certificate")
    {
        Description = "The certificate that clients show: a .pfx without password, or PEM with its key",
    };

    private static readonly Option<string?> ApiKey = new("--api-key")
    {
        Description =
            "The API key that requests have; @FILE reads it from a file, so that no list of processes shows it",
    };

    private static readonly Option<FileInfo?> Authority = new("--ca")
    {
        Description = "The certificates (PEM) that are trusted, instead of those of the system",
    };

    private static readonly Option<string?> From = new("--from")
    {
        Description = "The address of this machine to connect from",
    };

    public static int Main(string[] arguments)
    {
        LoadRun.PreferInlineCompletions();
        var command = new RootCommand("Sends HTTP requests and reports how the server did.")
        {
            Clients, Requests, Url, UrlFile, Seconds, Data, KeepAlive, Method, Headers, Rate, WarmUp, First,
            Certificate, ApiKey, Authority, From,
        };
        command.SetAction(RunAsync);
        ParseResult parsed = command.Parse(arguments);
        int exitCode = parsed.Invoke();
        return parsed.Errors.Count > 0 ? 2 : exitCode;
    }

    /// <summary>What the user wrote wrong, or a server that is not there, is a line and not a stack trace.</summary>
    private static async Task<int> RunAsync(ParseResult parsed)
    {
        try
        {
            return await LoadAsync(parsed);
        }
        catch (Exception failure) when (failure is FormatException or ArgumentException or IOException
            or SocketException)
        {
            Console.Error.WriteLine(failure.Message);
            return 2;
        }
    }

    private static async Task<int> LoadAsync(ParseResult parsed)
    {
        T? Get<T>(Option<T> option) => parsed.GetValue(option);

        string[] urls = Get(UrlFile) is { } file
            ? [.. File.ReadLines(file.FullName).Where(line => line.Length != 0)]
            : Get(Url) is { } url ? [url] : [];
        if (urls.Length == 0 || (Get(Requests) == 0) == (Get(Seconds) == 0))
        {
            Console.Error.WriteLine(
                "Needs -u URL (or -f FILE), and either -r REQUESTS or -t SECONDS; --help tells more.");
            return 2;
        }

        byte[]? body = Get(Data) is { } data ? await File.ReadAllBytesAsync(data.FullName) : null;
        bool isSecure = RequestTemplate.IsSecure(urls[0]);
        string authority = RequestTemplate.SplitUrl(urls[0]).Authority;
        string[] headers = WithKey(Get(Headers)!, Get(ApiKey));
        string method = Get(Method) ?? (body is null ? "GET" : "POST");
        var options = new LoadOptions
        {
            Server = await ResolveAsync(authority, isSecure ? SecurePort : PlainPort),
            Tls = isSecure ? LoadTls.FromFiles(HostOf(authority), Get(Certificate), Get(Authority)) : null,
            From = Get(From) is { } from ? IPAddress.Parse(from) : null,
            Requests = [.. urls.Select(each =>
                RequestTemplate.Create(method, each, body, Get(KeepAlive), headers))],
            Clients = Get(Clients),
            RequestsPerClient = Get(Requests),
            Duration = TimeSpan.FromSeconds(Get(Seconds)),
            KeepAlive = Get(KeepAlive),
            RatePerSecond = Get(Rate),
            FirstNumber = Get(First),
        };
        if (Get(WarmUp) is > 0 and var warmUp)
        {
            await LoadRun.RunAsync(options with { RequestsPerClient = warmUp, Duration = default, RatePerSecond = 0 });
        }

        Console.WriteLine($"Dispatching {options.Clients} clients");
        LoadReport report = await LoadRun.RunAsync(options);
        report.Write(Console.Out);
        return report.Successful == report.Requests ? 0 : 1;
    }

    private static string[] WithKey(string[] headers, string? key)
    {
        if (key is null)
        {
            return headers;
        }

        string text = key.StartsWith('@') ? File.ReadAllText(key[1..]).Trim() : key;
        return [.. headers, $"Authorization: Bearer {text}"];
    }

    /// <summary>The name or address without its port: what the server's certificate must be for.</summary>
    private static string HostOf(string authority) => new Uri($"https://{authority}").IdnHost;

    private static async Task<IPEndPoint> ResolveAsync(string authority, int defaultPort)
    {
        if (IPEndPoint.TryParse(authority, out IPEndPoint? exact))
        {
            return exact.Port == 0 ? new IPEndPoint(exact.Address, defaultPort) : exact;
        }

        int colon = authority.LastIndexOf(':');
        (string host, int port) = colon < 0
            ? (authority, defaultPort)
            : (authority[..colon], PortOf(authority[(colon + 1)..]));
        IPAddress[] addresses = await Dns.GetHostAddressesAsync(host);
        IPAddress address = addresses.FirstOrDefault(each => each.AddressFamily == AddressFamily.InterNetwork)
            ?? addresses[0];
        return new IPEndPoint(address, port);
    }

    private static int PortOf(string text) =>
        int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out int port) && port is > 0 and <= 65_535
            ? port
            : throw new FormatException($"'{text}' is not a port");
}
