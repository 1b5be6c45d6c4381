using System.Diagnostics;
using System.Net;
using System.Net.Http.Json;
using System.Net.Sockets;
using System.Security.Cryptography;
using SlowTests.Support;

namespace SlowTests.Client;

/// <summary>The samples run and say what they are to say. What Northwind holds was counted apart from this
/// product.</summary>
[Trait(Category.Shard, "client")]
public sealed class SamplesTests
{
    private const int ServerPortMin = 20_000;

    /// <summary>The first port that Linux gives to clients (<c>ip_local_port_range</c>).</summary>
    private const int ClientPortMin = 32_768;

    [Fact]
    public void The_quick_start_sample_stores_changes_and_queries_documents() => Assert.Equal(
        [
            "Stored products/1-A and two others in one transaction.",
            "Chai of Exotic Liquids costs 18.5 now: 2 requests.",
            "Found Chang, Chai.",
        ],
        Run("QuickStart"));

    [Fact]
    public void The_outbox_sample_sends_each_message_once_and_its_cache_is_not_stale() => Assert.Equal(
        [
            "In the cache: 120.",
            "In the cache: 130.",
            "Received: Ada owes 120",
            "Received: Bob owes 70",
            "Received: Ada owes 130",
            "The outbox is empty.",
        ],
        Run("Outbox"));

    [Fact]
    public void The_time_series_sample_asks_by_the_hour_and_writes_a_file_for_a_notebook()
    {
        string folder = Directory.CreateTempSubdirectory("raven-series-").FullName;
        try
        {
            string file = Path.Combine(folder, "heart-rate.csv");
            Assert.Equal(
                [
                    "06:00 52 by watches/7",
                    "06:01 76 by watches/7",
                    "Ada from 06:00: 52 to 79",
                    "Ada from 07:00: 75 to 119",
                    "Ada from 08:00: 75 to 79",
                    "180 entries went through heart-rate.csv.",
                ],
                Run("TimeSeries", file));
            string[] lines = File.ReadAllLines(file);
            Assert.Equal("Timestamp,Tag,Value0,Value1", lines[0]);
            Assert.Equal("2026-01-01T06:01:00.0000000Z,watches/7,76,1", lines[2]);
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    [Fact]
    public void The_library_of_the_database_stores_patches_and_finds_without_a_server()
    {
        string folder = Directory.CreateTempSubdirectory("raven-embedded-").FullName;
        try
        {
            string found = Assert.Single(Run("Embedded", folder));
            Assert.StartsWith("{\"Name\":\"Chai\",\"Price\":19,", found, StringComparison.Ordinal);
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    [Fact]
    public void The_Northwind_sample_prints_the_results_of_its_data() => Assert.Equal(
        [
            "13 dear deliveries to France, the dearest to Lille.",
            "10 orders have a line of 120 or more; 2066 items in all.",
            "USA: 122 orders worth 263567.",
            "Germany: 122 orders worth 244641.",
            "Austria: 40 orders worth 139497.",
            "Most orders: germany (122), usa (122), brazil (83).",
        ],
        Run("Northwind"));

    [Fact]
    public async Task The_web_application_sample_serves_notes()
    {
        int port = FreePort();
        using Process process = Start("WebApi", isRead: false, $"--urls=http://127.0.0.1:{port}");
        using var client = new HttpClient { BaseAddress = new Uri($"http://127.0.0.1:{port}") };
        try
        {
            await WaitUntilHealthyAsync(client);
            using HttpResponseMessage created = await client.PostAsJsonAsync(
                "/notes", new { text = "a red fox", tags = new[] { "animals" } });
            Assert.Equal(HttpStatusCode.Created, created.StatusCode);
            string id = created.Headers.Location!.ToString();
            Assert.Contains("red fox", await client.GetStringAsync(id), StringComparison.Ordinal);
            Assert.Contains("red fox", await client.GetStringAsync("/notes?tag=animals&words=fox"));
            Assert.Equal("[]", await client.GetStringAsync("/notes?words=wolf"));
            (await client.DeleteAsync(id)).EnsureSuccessStatusCode();
            Assert.Equal(HttpStatusCode.NotFound, (await client.GetAsync(id)).StatusCode);
        }
        finally
        {
            process.Kill();
            await process.WaitForExitAsync();
        }
    }

    /// <summary>
    /// A port that nobody has, for a server that is started on it again and again: it is none of those that the system
    /// gives to clients. A client that tries one of these while no server listens may connect to itself, and the server
    /// finds its port in use.
    /// </summary>
    internal static int FreePort()
    {
        while (true)
        {
            int port = RandomNumberGenerator.GetInt32(ServerPortMin, ClientPortMin);
            try
            {
                using var listener = new TcpListener(IPAddress.Loopback, port);
                listener.Start();
                return port;
            }
            catch (SocketException e) when (e.SocketErrorCode == SocketError.AddressAlreadyInUse)
            {
                // Another one.
            }
        }
    }

    private static async Task WaitUntilHealthyAsync(HttpClient client)
    {
        long begin = Stopwatch.GetTimestamp();
        while (true)
        {
            try
            {
                (await client.GetAsync("/healthz")).EnsureSuccessStatusCode();
                return;
            }
            catch (Exception early) when (early is HttpRequestException or SocketException
                && Stopwatch.GetElapsedTime(begin) < TimeSpan.FromMinutes(1))
            {
                await Task.Delay(100);
            }
        }
    }

    private static string[] Run(string sample, params string[] arguments)
    {
        using Process process = Start(sample, isRead: true, arguments);
        Task<string> errors = process.StandardError.ReadToEndAsync();
        string output = process.StandardOutput.ReadToEnd();
        process.WaitForExit();
        Assert.True(process.ExitCode == 0, errors.Result);
        return output.Split('\n', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries);
    }

    internal static Process Start(string sample, bool isRead, params string[] arguments)
    {
        // From its own folder: beside these tests are the assemblies of theirs, which run with those of ASP.NET.
        string[] built =
            AppContext.BaseDirectory.TrimEnd(Path.DirectorySeparatorChar).Split(Path.DirectorySeparatorChar);
        string assembly = Path.Combine(
            [NodeProgram.Root, "samples", sample, "bin", .. built[^2..], $"{sample}.dll"]);
        return Process.Start(new ProcessStartInfo("dotnet", [assembly, .. arguments])
        {
            RedirectStandardOutput = isRead, RedirectStandardError = isRead,
        })!;
    }
}
