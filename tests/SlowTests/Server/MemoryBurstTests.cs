using System.Globalization;
using System.Net.Http.Headers;
using System.Text;
using FastTests.Server;
using Raven.Tools.Bench.Suites.Documents;
using SlowTests.Support;

namespace SlowTests.Server;

/// <summary>
/// What a burst took is given back: a real process that has seen a burst once holds no more half a minute after the
/// next one, by memory that is in no file.
/// </summary>
public sealed class MemoryBurstTests(ITestOutputHelper output)
{
    private const long Megabyte = 1 << 20;
    private const int SlowClients = 40;
    private const long MoreMax = 40 * Megabyte;

    /// <summary>
    /// What the answers may keep in memory (64 MB), two pieces of each, and what the process has for itself: no text is
    /// in memory as a whole.
    /// </summary>
    private const long UnreadPeakMax = 256 * Megabyte;

    /// <summary>Beside that a script's result is kept while it is made: as many as there are threads that make one.
    /// </summary>
    private const long ScriptPeakMax = 512 * Megabyte;

    private static readonly TimeSpan Rest = TimeSpan.FromSeconds(30);

    /// <summary>A document of 20 MB for each of 40 clients is 800 MB, had the server to keep it.</summary>
    [Theory]
    [InlineData("")]
    [InlineData("Accept-Encoding: gzip\r\n")]
    [Trait(Category.Run, Category.Ci)]
    [Trait(Category.Shard, "memory-reads")]
    public Task Clients_that_do_not_read_a_large_document_cost_a_bounded_window_each(string header) =>
        LargeAsync("docs?id=large", header, UnreadPeakMax);

    /// <summary>Nor does it matter what asks for it.</summary>
    [Theory]
    [InlineData("queries?query=", "from @all_docs", UnreadPeakMax)]
    [InlineData("queries?query=", "from @all_docs as m select m.T", UnreadPeakMax)]
    [InlineData("queries?query=", "from @all_docs as m select distinct m.T", UnreadPeakMax)]
    [InlineData("queries?query=", "from @all_docs as m select { T: m.T }", ScriptPeakMax)]
    [InlineData("streams/queries?query=", "from @all_docs as m select { T: m.T }", ScriptPeakMax)]
    [Trait(Category.Shard, "memory-reads")]
    [Trait("Invariant", "ANS-1")]
    public Task Clients_that_do_not_read_a_large_result_cost_a_bounded_window_each(
        string path, string query, long peakMax) => LargeAsync(path + Uri.EscapeDataString(query), "", peakMax);

    /// <summary>A text at which a script looks is a string for it, 28 MB of one of 14 MB, and goes before its client is
    /// waited for.</summary>
    [Fact]
    [Trait(Category.Shard, "memory-reads")]
    public async Task Clients_that_do_not_read_results_of_scripts_on_large_texts_cost_a_bounded_window_each()
    {
        using ServerProcess server = await StartAsync();
        using HttpClient client = ClientOf(server);
        await PutLargeAsync(client, "large", 7 * (int)Megabyte);
        string path = "queries?query=" + Uri.EscapeDataString("from @all_docs as m select { t: m.T, l: m.T.length }");
        Assert.Contains(
            $"\"l\":{14 * Megabyte}", await client.GetStringAsync($"/databases/db/{path}"), StringComparison.Ordinal);
        await MeasureAsync(server, () => UnreadAsync(server, path, ""), ScriptPeakMax);
    }

    [Fact]
    [Trait(Category.Run, Category.Ci)]
    [Trait(Category.Shard, "memory-writes")]
    public async Task A_burst_of_concurrent_writes_leaves_no_memory_behind()
    {
        using ServerProcess server = await StartAsync();
        using HttpClient client = ClientOf(server);
        string body = $"{{\"T\":\"{new string('p', (int)Megabyte)}\"}}";
        await MeasureAsync(server, () => Task.WhenAll(Enumerable.Range(0, 200).Select(
            async i => (await client.PutAsync($"/databases/db/docs?id=p/{i}", Json(body))).EnsureSuccessStatusCode())));
    }

    [Fact]
    [Trait(Category.Shard, "memory-writes")]
    public async Task A_burst_of_large_documents_leaves_no_memory_behind()
    {
        using ServerProcess server = await StartAsync();
        using HttpClient client = ClientOf(server);
        await MeasureAsync(server, () => Task.WhenAll(
            Enumerable.Range(0, 8).Select(i => PutLargeAsync(client, $"large/{i}"))));
    }

    [Theory]
    [InlineData("bulk_docs")]
    [InlineData("bulk_insert")]
    [Trait(Category.Shard, "memory-writes")]
    public async Task A_burst_of_batches_leaves_no_memory_behind(string path)
    {
        using ServerProcess server = await StartAsync();
        using HttpClient client = ClientOf(server);
        await MeasureAsync(server, () => Task.WhenAll(Enumerable.Range(0, 4).Select(
            i => ItemLoad.InsertAsync(client, $"/databases/db/{path}", $"b{i}", 50_000))));
    }

    [Theory]
    [InlineData("from Items")]
    [InlineData("from Items where N > 10 order by City")]
    [InlineData("from Items as i select { A: i.Name + i.City }")]
    [Trait(Category.Shard, "memory-reads")]
    public async Task A_burst_of_queries_with_large_results_leaves_no_memory_behind(string query)
    {
        using ServerProcess server = await StartAsync();
        using HttpClient client = ClientOf(server);
        await ItemLoad.InsertAsync(client, "/databases/db/bulk_insert", "i", 50_000);
        string path = $"/databases/db/queries?query={Uri.EscapeDataString(query)}&pageSize=50000";
        await MeasureAsync(server, () => Task.WhenAll(Enumerable.Range(0, 6).Select(
            async _ => (await client.GetByteArrayAsync(path)).Length)));
    }

    [Fact]
    [Trait(Category.Shard, "memory-writes")]
    public async Task A_burst_of_attachments_leaves_no_memory_behind()
    {
        using ServerProcess server = await StartAsync();
        using HttpClient client = ClientOf(server);
        await PutLargeAsync(client, "large");
        byte[] noise = new byte[50 * Megabyte];
        new Random(1).NextBytes(noise);
        await MeasureAsync(server, async () =>
        {
            await Task.WhenAll(Enumerable.Range(0, 6).Select(async i => (await client.PutAsync(
                $"/databases/db/attachments?id=large&name=a{i}", new ByteArrayContent(noise)))
                .EnsureSuccessStatusCode()));
            await UnreadAsync(server, "attachments?id=large&name=a1", "");
        });
    }

    [Theory]
    [InlineData("streams/docs")]
    [InlineData("docs?start=0&pageSize=100000")]
    [InlineData("queries?query=from%20Items&pageSize=100000")]
    [Trait(Category.Shard, "memory-reads")]
    public async Task Clients_that_do_not_read_long_lists_cost_a_bounded_window_each(string path)
    {
        using ServerProcess server = await StartAsync();
        using HttpClient client = ClientOf(server);
        await ItemLoad.InsertAsync(client, "/databases/db/bulk_insert", "i", 100_000);
        await MeasureAsync(server, () => UnreadAsync(server, path, ""), peakMax: 384 * Megabyte);
    }

    /// <summary>What a load and its indexes took: the documents themselves are in files.</summary>
    [Fact]
    [Trait(Category.Shard, "memory-load")]
    public async Task After_five_million_documents_with_two_automatic_indexes_at_most_300_MB_are_left()
    {
        using ServerProcess server = await StartAsync();
        using HttpClient client = ClientOf(server);
        client.Timeout = TimeSpan.FromMinutes(9);
        await ItemLoad.LoadIndexedAsync(client, "db", 5_000_000);
        await ItemLoad.WaitForIndexesAsync(client, "db", TimeSpan.FromMinutes(5));
        await Task.Delay(Rest);
        long held = server.AnonymousBytes();
        output.WriteLine(string.Create(CultureInfo.InvariantCulture, $"{held / Megabyte} MB are held"));
        Assert.InRange(held, 0, 300 * Megabyte);
    }

    private async Task LargeAsync(string path, string header, long peakMax)
    {
        using ServerProcess server = await StartAsync();
        using HttpClient client = ClientOf(server);
        await PutLargeAsync(client, "large");
        await MeasureAsync(server, () => UnreadAsync(server, path, header), peakMax);
    }

    private async Task MeasureAsync(ServerProcess server, Func<Task> burst, long peakMax = long.MaxValue)
    {
        long start = server.AnonymousBytes();
        await burst();
        await Task.Delay(Rest);
        long before = server.AnonymousBytes();
        Task again = burst();
        long most = 0;
        while (!again.IsCompleted)
        {
            most = Math.Max(most, server.AnonymousBytes());
            await Task.WhenAny(again, Task.Delay(20));
        }

        await again;
        await Task.Delay(Rest);
        long after = server.AnonymousBytes();
        output.WriteLine(string.Create(
            CultureInfo.InvariantCulture,
            $"MB at the start {start / Megabyte}, after one burst {before / Megabyte}, at most in the second "
            + $"{most / Megabyte}, after it {after / Megabyte}"));
        Assert.InRange(after - before, long.MinValue, MoreMax);
        Assert.InRange(most, 0, peakMax);
    }

    private static async Task UnreadAsync(ServerProcess server, string path, string header)
    {
        int port = new Uri(server.Url).Port;
        RawConnection[] connections = [.. Enumerable.Range(0, SlowClients).Select(_ => new RawConnection(port))];
        Array.ForEach(connections, connection => connection.Send(
            $"GET /databases/db/{path} HTTP/1.1\r\nHost: localhost\r\n{header}\r\n"));
        await Task.Delay(TimeSpan.FromSeconds(3));
        Array.ForEach(connections, connection => connection.Dispose());
    }

    private static async Task PutLargeAsync(HttpClient client, string id, int size = 10 * (int)Megabyte)
    {
        // Bytes that no compression makes small.
        byte[] noise = new byte[size];
        new Random(2).NextBytes(noise);
        (await client.PutAsync($"/databases/db/docs?id={id}", Json($"{{\"T\":\"{Convert.ToHexString(noise)}\"}}")))
            .EnsureSuccessStatusCode();
    }

    private static async Task<ServerProcess> StartAsync()
    {
        ServerProcess server = ServerProcess.Start();
        using HttpClient client = ClientOf(server);
        (await client.PutAsync("/admin/databases?name=db", Json("{}"))).EnsureSuccessStatusCode();
        return server;
    }

    private static HttpClient ClientOf(ServerProcess server) =>
        new() { BaseAddress = new Uri(server.Url), Timeout = TimeSpan.FromMinutes(3) };

    private static StringContent Json(string text) =>
        new(text, Encoding.UTF8, new MediaTypeHeaderValue("application/json"));
}
