using System.Diagnostics;
using System.Net.Sockets;

namespace SlowTests.Support;

/// <summary>An nginx in the foreground, with all of its files in one folder.</summary>
internal sealed class Nginx : IDisposable
{
    /// <summary>Its path on Debian.</summary>
    internal const string Program = "/usr/sbin/nginx";

    /// <summary>The package that has it there.</summary>
    internal const string Package = "nginx";

    private readonly Process _process;

    private Nginx(Process process) => _process = process;

    /// <summary>Starts one.</summary>
    /// <param name="folder">The folder of its files.</param>
    /// <param name="configuration">What is within <c>http</c>.</param>
    internal static Nginx Start(string folder, string configuration)
    {
        string file = Path.Combine(folder, "nginx.conf");
        File.WriteAllText(
            file,
            $$"""
            daemon off;
            pid {{folder}}/pid;
            error_log stderr;
            events { }
            http {
            log_format lines '$request|$upstream_status';
            access_log {{LogOf(folder)}} lines;
            client_body_temp_path {{folder}}/body;
            proxy_temp_path {{folder}}/proxy;
            fastcgi_temp_path {{folder}}/fastcgi;
            uwsgi_temp_path {{folder}}/uwsgi;
            scgi_temp_path {{folder}}/scgi;
            {{configuration}}
            }
            """);
        return new Nginx(Process.Start(Program, ["-p", folder, "-c", file]));
    }

    /// <summary>The first lines of requests, each with the statuses that the server behind it has answered.</summary>
    internal static string[] LinesOf(string folder) => File.ReadAllLines(LogOf(folder));

    /// <summary>Waits until the server behind it says that it is healthy.</summary>
    internal async Task UntilServesAsync(HttpClient client, TimeSpan limit)
    {
        using var over = new CancellationTokenSource(limit);
        while (true)
        {
            try
            {
                await client.GetStringAsync(new Uri("/healthz", UriKind.Relative), over.Token);
                return;
            }
            catch (Exception early) when (early is HttpRequestException or SocketException && !_process.HasExited)
            {
                await Task.Delay(50, over.Token);
            }
        }
    }

    public void Dispose()
    {
        _process.Kill(entireProcessTree: true);
        _process.WaitForExit();
        _process.Dispose();
    }

    private static string LogOf(string folder) => Path.Combine(folder, "access.log");
}
