using System.Collections.Concurrent;
using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using Raven.Client.Documents;
using Raven.Client.Documents.Session;
using Raven.Client.Documents.Subscriptions;
using Raven.Client.ServerWide.Operations;
using SlowTests.Client;
using SlowTests.Support;

namespace SlowTests.Packaging;

/// <summary>
/// Workers behind proxies that pass connections on as they are (L4), on the one port of HTTP: they find the way by the
/// name that the client uses, their heartbeats keep the proxy from ending what is idle, and they go on behind a
/// restart of the proxy. HTTP/1.1 and HTTP/2 without TLS go the same way.
/// </summary>
[Trait(Category.Shard, "subscriptions")]
public sealed class SubscriptionProxyTests
{
    private const string HaProxy = "haproxy";
    private const string Nginx = "nginx libnginx-mod-stream";

    /// <summary>A proxy ends a connection that is silent for longer; a heartbeat comes after seven seconds.</summary>
    private const int SilentSecondsMax = 10;

    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);

    [DebianFact(HaProxy)]
    public Task Workers_and_requests_go_through_haproxy() => WorkAsync((folder, ways) =>
    {
        string file = Path.Combine(folder, "haproxy.cfg");
        string listens = string.Concat(ways.Select(way =>
            $"listen raven{way.Port}\n  bind 127.0.0.1:{way.Port}\n  server one 127.0.0.1:{way.Target}\n"));
        File.WriteAllText(file, $"""
            global
              maxconn 200
            defaults
              mode tcp
              timeout connect 5s
              timeout client {SilentSecondsMax}s
              timeout server {SilentSecondsMax}s
            {listens}
            """);
        return DebianPrograms.Start(HaProxy, "usr/sbin/haproxy", "-db", "-f", file);
    });

    [DebianFact(Nginx)]
    public Task Workers_and_requests_go_through_a_stream_of_nginx() => WorkAsync((folder, ways) =>
    {
        string file = Path.Combine(folder, "nginx.conf");
        string servers = string.Concat(ways.Select(way =>
            $"server {{ listen 127.0.0.1:{way.Port}; proxy_pass 127.0.0.1:{way.Target}; }}\n"));
        File.WriteAllText(file, $$"""
            load_module {{DebianPrograms.RootOf(Nginx)}}/usr/lib/nginx/modules/ngx_stream_module.so;
            daemon off;
            pid {{folder}}/pid;
            error_log stderr;
            events { }
            stream {
              proxy_timeout {{SilentSecondsMax}}s;
              {{servers}}
            }
            """);
        return DebianPrograms.Start(Nginx, "usr/sbin/nginx", "-p", folder, "-c", file);
    });

    private static async Task WorkAsync(Func<string, (int Port, int Target)[], Process> start)
    {
        string folder = Directory.CreateTempSubdirectory("raven-l4-").FullName;
        int ofHttp2 = SamplesTests.FreePort();
        using ServerProcess server = ServerProcess.Start(null, $"--Http2Url=http://127.0.0.1:{ofHttp2}");
        int port = SamplesTests.FreePort();
        int second = SamplesTests.FreePort();
        (int Port, int Target)[] ways = [(port, new Uri(server.Url).Port), (second, ofHttp2)];
        Process proxy = start(folder, ways);
        try
        {
            await UntilOpenAsync(port);
            using var store = new DocumentStore { Urls = [$"http://127.0.0.1:{port}"], Database = "db" };
            store.Initialize();
            await store.Maintenance.Server.SendAsync(new CreateDatabaseOperation(new("db")));
            await RequestAsync(port, HttpVersion.Version11);
            await RequestAsync(second, HttpVersion.Version20);

            string name = await store.Subscriptions.CreateAsync<Mail>();
            await using SubscriptionWorker<Mail> worker = store.Subscriptions.GetSubscriptionWorker<Mail>(
                new SubscriptionWorkerOptions(name)
                {
                    TimeToWaitBeforeConnectionRetry = TimeSpan.FromMilliseconds(100),
                });
            ConcurrentQueue<Exception> lost = new();
            worker.OnSubscriptionConnectionRetry += lost.Enqueue;
            ConcurrentDictionary<string, int> handled = new();
            using var end = new CancellationTokenSource();
            Task running = worker.Run(
                batch =>
                {
                    foreach (SubscriptionItem<Mail> item in batch.Items)
                    {
                        handled.AddOrUpdate(item.Id, 1, (_, count) => count + 1);
                    }
                },
                end.Token);
            await StoreAsync(store, 1);
            await UntilAsync(() => handled.ContainsKey("mails/1"), running);

            await Task.Delay(TimeSpan.FromSeconds(SilentSecondsMax + 5));
            Assert.Empty(lost);
            await StoreAsync(store, 2);
            await UntilAsync(() => handled.ContainsKey("mails/2"), running);
            Assert.Empty(lost);

            proxy.Kill(entireProcessTree: true);
            await proxy.WaitForExitAsync();
            await UntilAsync(() => !lost.IsEmpty, running);
            proxy.Dispose();
            proxy = start(folder, ways);
            await UntilOpenAsync(port);
            await StoreAsync(store, 3);
            await UntilAsync(() => handled.ContainsKey("mails/3"), running);
            Assert.All(handled, one => Assert.Equal(1, one.Value));
            await end.CancelAsync();
            await Assert.ThrowsAnyAsync<OperationCanceledException>(() => running);
        }
        finally
        {
            proxy.Kill(entireProcessTree: true);
            await proxy.WaitForExitAsync();
            proxy.Dispose();
            Directory.Delete(folder, recursive: true);
        }
    }

    private static async Task RequestAsync(int port, Version version)
    {
        using var client = new HttpClient { BaseAddress = new Uri($"http://127.0.0.1:{port}") };
        using var request = new HttpRequestMessage(HttpMethod.Get, "/databases/db/stats")
        {
            Version = version, VersionPolicy = HttpVersionPolicy.RequestVersionExact,
        };
        using HttpResponseMessage answer = await client.SendAsync(request);
        Assert.Equal((HttpStatusCode.OK, version), (answer.StatusCode, answer.Version));
    }

    private static async Task StoreAsync(DocumentStore store, int number)
    {
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        await session.StoreAsync(new Mail(), $"mails/{number}");
        await session.SaveChangesAsync();
    }

    private static async Task UntilOpenAsync(int port)
    {
        using var limit = new CancellationTokenSource(Patience);
        while (true)
        {
            try
            {
                using var client = new TcpClient();
                await client.ConnectAsync("127.0.0.1", port, limit.Token);
                return;
            }
            catch (SocketException)
            {
                await Task.Delay(50, limit.Token);
            }
        }
    }

    private static async Task UntilAsync(Func<bool> isSo, Task running)
    {
        var waited = Stopwatch.StartNew();
        while (!isSo())
        {
            Assert.False(running.IsCompleted, running.Exception?.ToString());
            Assert.True(waited.Elapsed < Patience);
            await Task.Delay(20);
        }
    }

    private sealed class Mail
    {
        public string? Id { get; set; }
    }
}
