using System.Collections.Concurrent;
using System.Diagnostics;
using System.Net;
using System.Text;
using System.Text.Json.Nodes;
using SlowTests.Support;

namespace SlowTests.Storage;

/// <summary>
/// The real server on a real disk of 64 MB that fills up and gets room again, with a client that writes a
/// document, waits 50 ms and writes the next: 507 or 503 while there is no room, reads go on, writes go on by
/// themselves, and memory stays what it was.
/// </summary>
[Trait(Category.Shard, "small-disk")]
[Collection(nameof(SoakTests))]
public sealed class SmallDiskServerTests(ITestOutputHelper output) : IDisposable
{
    private const int Rounds = 50;

    private const int Fillers = 4;
    private const int LargeBytes = 200_000;
    private const long GrowthBytesMax = 256L << 20;

    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(50);
    private static readonly TimeSpan CatchUpMax = TimeSpan.FromSeconds(20);

    private readonly ConcurrentDictionary<int, bool> _acknowledged = new();
    private readonly ConcurrentDictionary<HttpStatusCode, int> _answers = new();
    private HttpClient _client = new();
    private int _noise;

    public void Dispose() => _client.Dispose();

    [Theory]
    [InlineData("tmpfs")]
    [InlineData("ext4")]
    public async Task A_server_reports_a_full_disk_still_reads_and_writes_again_once_there_is_room(string kind)
    {
        using SmallDisk? disk = SmallDisk.Mount(kind, output);
        if (disk is null)
        {
            return;
        }

        string folder = Path.Combine(disk.Folder, "data");
        using (ServerProcess server = ServerProcess.Start(folder))
        {
            Connect(server);
            Assert.Equal(HttpStatusCode.Created, await CreateAsync("db"));
            Assert.Equal(HttpStatusCode.Created, await PutAsync("db", "known", "{\"N\":-1}"));
            using var end = new CancellationTokenSource();
            Task paced = WritePacedAsync(end.Token);
            long start = server.AnonymousBytes();
            for (int round = 0; round < Rounds; round++)
            {
                await RoundAsync(disk, round);
                Assert.InRange(server.AnonymousBytes(), 0, start + GrowthBytesMax);
            }

            await end.CancelAsync();
            await paced;
            await RequireAcknowledgedAsync();
            server.Kill();
        }

        using ServerProcess after = ServerProcess.Start(folder);
        Connect(after);
        await RequireAcknowledgedAsync();
        Console.WriteLine($"{kind}: {string.Join(", ", _answers.OrderBy(answer => answer.Key))}");
    }

    private void Connect(ServerProcess server)
    {
        _client.Dispose();
        _client = new HttpClient { BaseAddress = new Uri(server.Url) };
    }

    /// <summary>
    /// One time full and free again. What fills the rest is a database of its own, which goes with its files: one that
    /// stays would take a little more of the disk each time, until there is no room to be freed.
    /// </summary>
    private async Task RoundAsync(SmallDisk disk, int round)
    {
        await EventuallyAsync(round, () => CreateAsync("large"), HttpStatusCode.Created);
        disk.Fill(round % 3);
        await Task.WhenAll(Enumerable.Range(0, Fillers).Select(FillAsync));
        await RequireKnownAsync();
        disk.Free();
        int before = _acknowledged.Count;
        await EventuallyAsync(round, () => PutAsync("large", "last", Large()), HttpStatusCode.Created);
        await EventuallyAsync(
            round,
            async () =>
            {
                await RequireKnownAsync();
                return _acknowledged.Count > before ? HttpStatusCode.OK : HttpStatusCode.InsufficientStorage;
            },
            HttpStatusCode.OK);
        await EventuallyAsync(round, () => DeleteAsync("large"), HttpStatusCode.OK);
    }

    /// <summary>There is room: what is refused once more, as it takes a flush to get at it, is not refused for
    /// long.</summary>
    private static async Task EventuallyAsync(int round, Func<Task<HttpStatusCode>> ask, HttpStatusCode expected)
    {
        var watch = Stopwatch.StartNew();
        for (HttpStatusCode status = await ask(); status != expected; status = await ask())
        {
            Assert.True(watch.Elapsed < CatchUpMax, $"Round {round}: {status} after {watch.Elapsed} with room for it.");
            await Task.Delay(Pause);
        }
    }

    /// <summary>Writes large documents until one is refused.</summary>
    private async Task FillAsync(int filler)
    {
        for (int i = 0; i < 1_000; i++)
        {
            if (await PutAsync("large", $"{filler}/{i}", Large()) != HttpStatusCode.Created)
            {
                return;
            }

            await RequireKnownAsync();
        }

        throw new InvalidOperationException("The disk never was full.");
    }

    private async Task WritePacedAsync(CancellationToken end)
    {
        for (int i = 0; !end.IsCancellationRequested; i++)
        {
            if (await PutAsync("db", $"paced/{i}", $"{{\"N\":{i}}}") == HttpStatusCode.Created)
            {
                _acknowledged[i] = true;
            }

            await Task.Delay(Pause, CancellationToken.None);
        }
    }

    private async Task<HttpStatusCode> PutAsync(string database, string id, string json)
    {
        using var body = new StringContent(json, Encoding.UTF8, "application/json");
        using HttpResponseMessage answer = await _client.PutAsync($"/databases/{database}/docs?id={id}", body);
        return await CountAsync(answer, HttpStatusCode.Created);
    }

    private async Task<HttpStatusCode> CreateAsync(string database)
    {
        using var body = new StringContent($"{{\"DatabaseName\":\"{database}\"}}", Encoding.UTF8, "application/json");
        using HttpResponseMessage answer = await _client.PutAsync($"/admin/databases?name={database}", body);
        return await CountAsync(answer, HttpStatusCode.Created);
    }

    private async Task<HttpStatusCode> DeleteAsync(string database)
    {
        using var request = new HttpRequestMessage(HttpMethod.Delete, "/admin/databases")
        {
            Content = new StringContent($"{{\"DatabaseNames\":[\"{database}\"],\"HardDelete\":true}}"),
        };
        using HttpResponseMessage answer = await _client.SendAsync(request);
        return await CountAsync(answer, HttpStatusCode.OK);
    }

    private async Task<HttpStatusCode> CountAsync(HttpResponseMessage answer, HttpStatusCode done)
    {
        _answers.AddOrUpdate(answer.StatusCode, 1, (_, count) => count + 1);
        Assert.True(
            answer.StatusCode == done
                || answer.StatusCode is HttpStatusCode.InsufficientStorage or HttpStatusCode.ServiceUnavailable,
            $"{answer.RequestMessage}: {answer.StatusCode}: {await answer.Content.ReadAsStringAsync()}");
        return answer.StatusCode;
    }

    private Task RequireKnownAsync() => RequireAsync("known", -1);

    private async Task RequireAcknowledgedAsync()
    {
        Assert.NotEmpty(_acknowledged);
        await RequireKnownAsync();
        foreach (int number in _acknowledged.Keys)
        {
            await RequireAsync($"paced/{number}", number);
        }
    }

    private async Task RequireAsync(string id, int number)
    {
        using HttpResponseMessage answer = await _client.GetAsync($"/databases/db/docs?id={id}");
        Assert.Equal(HttpStatusCode.OK, answer.StatusCode);
        JsonNode json = JsonNode.Parse(await answer.Content.ReadAsStringAsync())!;
        Assert.Equal(number, (int)json["Results"]![0]!["N"]!);
    }

    /// <summary>A document that cannot be packed.</summary>
    private string Large()
    {
        byte[] noise = new byte[LargeBytes];
        new Random(Interlocked.Increment(ref _noise)).NextBytes(noise);
        return $"{{\"T\":\"{Convert.ToBase64String(noise)}\"}}";
    }
}
