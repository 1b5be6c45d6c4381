using System.Globalization;
using System.Net;
using System.Net.Http.Headers;
using System.Net.Http.Json;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using System.Text.Json.Nodes;
using FastTests.Security;
using Raven.Cluster.Etcd;
using Shared.Cluster.Processes;

namespace SlowTests.Cluster;

/// <summary>Three servers over TLS: who a client is counts on all of them, and a node is nobody by itself.</summary>
[Trait(Category.Shard, "cluster-servers")]
public sealed class SecuredClusterTests : IAsyncLifetime
{
    private const string Database = "shop";

    private readonly string _folder = Directory.CreateTempSubdirectory("raven-cluster-").FullName;
    private readonly TlsPlaces _places;
    private readonly List<IDisposable> _owned = [];
    private ClusterProcesses _cluster = null!;

    public SecuredClusterTests() => _places = new TlsPlaces(Path.Combine(_folder, "files"));

    public async ValueTask InitializeAsync()
    {
        EtcdProgram etcd = await EtcdOfDebian.ProgramAsync();
        _cluster = new ClusterProcesses(
            new ClusterSetup
            {
                ServerPath = Path.Combine(AppContext.BaseDirectory, "Raven.Server.dll"),
                EtcdPath = etcd.Path,
                Folder = Path.Combine(_folder, "cluster"),
            },
            _places);
        _cluster.StartEtcd("x");
        _cluster.StartEtcd("y");
        _cluster.StartEtcd("z");
        foreach (string tag in _cluster.Tags)
        {
            _cluster.StartServer(tag, null, _places.OptionsOf(tag));
        }

        await _cluster.AliveAsync(_cluster.Tags.Count);
        await _cluster.CreateDatabaseAsync(Database, _cluster.Tags.Count);
    }

    public async ValueTask DisposeAsync()
    {
        _owned.ForEach(each => each.Dispose());
        await _cluster.DisposeAsync();
        Directory.Delete(_folder, recursive: true);
    }

    [Fact]
    [Trait(Category.Run, Category.Ci)]
    [Trait("Invariant", "FWD-5")]
    public async Task Certificates_and_keys_count_through_a_follower_before_and_after_the_primary_is_killed()
    {
        string primary = (await _cluster.PrimaryAsync(Database))!;
        string follower = _cluster.Tags.First(tag => tag != primary);
        using X509Certificate2 certificate = TlsPlaces.NewClient("writer");
        await RegisterAsync(primary, certificate, "ReadWrite");
        HttpClient writer = Client(follower, certificate);
        using X509Certificate2 reading = TlsPlaces.NewClient("reader");
        await RegisterAsync(follower, reading, "Read");
        HttpClient reader = Client(follower, reading);
        HttpClient keyed = Client(follower, null);
        keyed.DefaultRequestHeaders.Authorization =
            new AuthenticationHeaderValue("Bearer", await NewKeyAsync(follower));

        await StatusAsync(writer, "a/1", HttpStatusCode.Created);
        await StatusAsync(keyed, "a/2", HttpStatusCode.Created);
        await StatusAsync(reader, "a/3", HttpStatusCode.Forbidden);
        using X509Certificate2 node = _places.CertificateOf(follower);
        await StatusAsync(Client(primary, node), "a/4", HttpStatusCode.Forbidden);
        await StatusAsync(Client(follower, node), "a/5", HttpStatusCode.Forbidden);

        // The node's own header, forged by the node itself for nobody.
        HttpClient forging = Client(primary, node);
        forging.DefaultRequestHeaders.Add("Raven-Forwarded", $"{follower}, 1");
        await StatusAsync(forging, "a/6", HttpStatusCode.Forbidden);
        HttpClient stranger = Client(primary, reading);
        stranger.DefaultRequestHeaders.Add("Raven-Forwarded", $"{follower}, 1");
        stranger.DefaultRequestHeaders.Add("X-Raven-Client-Cert", Convert.ToBase64String(certificate.RawData));
        await StatusAsync(stranger, "a/7", HttpStatusCode.Forbidden);

        _cluster.Kill(primary);
        await DoneAsync(writer, "b/1");
        await DoneAsync(keyed, "b/2");
        await StatusAsync(reader, "b/3", HttpStatusCode.Forbidden);
        foreach (string id in (string[])["a/1", "a/2", "b/1", "b/2"])
        {
            using HttpResponseMessage read = await reader.GetAsync($"/databases/{Database}/docs?id={id}");
            Assert.Equal(HttpStatusCode.OK, read.StatusCode);
        }

        // Nobody knows the writer any more, whichever node it was deleted on.
        string other = _cluster.Running.First(tag => tag != follower);
        using (HttpResponseMessage deleted = await Client(other, _places.Administrator).DeleteAsync(
            $"/admin/certificates?thumbprint={certificate.Thumbprint}"))
        {
            Assert.True(deleted.IsSuccessStatusCode, await deleted.Content.ReadAsStringAsync());
        }

        await _cluster.UntilAsync(
            async () =>
            {
                using HttpResponseMessage put = await PutAsync(writer, "c/1");
                return put.StatusCode == HttpStatusCode.Forbidden;
            },
            "a deleted certificate counts");
    }

    [Fact]
    [Trait("Invariant", "FWD-1")]
    public async Task A_long_request_passes_through_a_follower_as_it_comes_and_is_answered_before_it_ends()
    {
        string primary = (await _cluster.PrimaryAsync(Database))!;
        HttpClient client = Client(_cluster.Tags.First(tag => tag != primary), _places.Administrator);
        using var body = new OpenContent();
        Task<HttpResponseMessage> sending = client.PostAsync($"/databases/{Database}/bulk_insert", body);
        var some = new StringBuilder("[");
        for (int i = 0; i < 2_000; i++)
        {
            some.Append(i == 0 ? "" : ",").Append(
                CultureInfo.InvariantCulture,
                $"{{\"Id\":\"l/{i:0000}\",\"Type\":\"PUT\",\"Document\":{{\"N\":{i}}}}}");
        }

        await body.WriteAsync(some.ToString());
        await body.WriteAsync(""",{"Id":"l/x","Type":"NONE"},""");
        using HttpResponseMessage answer = await sending.WaitAsync(TimeSpan.FromMinutes(1));
        Assert.Equal(HttpStatusCode.BadRequest, answer.StatusCode);
        body.End();
    }

    private static Task<HttpResponseMessage> PutAsync(HttpClient client, string id) =>
        client.PutAsync($"/databases/{Database}/docs?id={id}", new StringContent("{}"));

    private static async Task StatusAsync(HttpClient client, string id, HttpStatusCode expected)
    {
        using HttpResponseMessage put = await PutAsync(client, id);
        Assert.True(put.StatusCode == expected, $"{put.StatusCode} {await put.Content.ReadAsStringAsync()}");
    }

    /// <summary>A write that is held, or perhaps done, and then done again.</summary>
    private async Task DoneAsync(HttpClient client, string id) => await _cluster.UntilAsync(
        async () =>
        {
            using HttpResponseMessage put = await PutAsync(client, id);
            Assert.True(
                put.StatusCode is HttpStatusCode.Created or HttpStatusCode.ServiceUnavailable
                    or HttpStatusCode.InternalServerError,
                $"{put.StatusCode} {await put.Content.ReadAsStringAsync()}");
            return put.StatusCode == HttpStatusCode.Created;
        },
        $"{id} is not stored");

    private async Task RegisterAsync(string tag, X509Certificate2 certificate, string right)
    {
        using HttpResponseMessage answer = await Client(tag, _places.Administrator).PutAsJsonAsync(
            "/admin/certificates",
            new
            {
                Name = right,
                Certificate = Convert.ToBase64String(certificate.RawData),
                SecurityClearance = "ValidUser",
                Permissions = new Dictionary<string, string> { [Database] = right },
            },
            System.Text.Json.JsonSerializerOptions.Default);
        Assert.True(answer.IsSuccessStatusCode, await answer.Content.ReadAsStringAsync());

        // The others are told within a second or two.
        foreach (string each in _cluster.Tags)
        {
            await _cluster.UntilAsync(
                async () =>
                {
                    using HttpResponseMessage read = await Client(each, certificate).GetAsync(
                        $"/databases/{Database}/stats");
                    return read.StatusCode == HttpStatusCode.OK;
                },
                $"{each} does not know a certificate");
        }
    }

    private async Task<string> NewKeyAsync(string tag)
    {
        using HttpResponseMessage answer = await Client(tag, _places.Administrator).PostAsJsonAsync(
            "/admin/api-keys",
            new
            {
                Name = "k",
                SecurityClearance = "ValidUser",
                Permissions = new Dictionary<string, string> { [Database] = "ReadWrite" },
                ExpiresAt = (DateTime?)null,
            },
            System.Text.Json.JsonSerializerOptions.Default);
        Assert.True(answer.IsSuccessStatusCode, await answer.Content.ReadAsStringAsync());
        string key = (string)(await answer.Content.ReadFromJsonAsync<JsonNode>())!["Key"]!;
        foreach (string each in _cluster.Tags)
        {
            HttpClient client = Client(each, null);
            client.DefaultRequestHeaders.Authorization = new AuthenticationHeaderValue("Bearer", key);
            await _cluster.UntilAsync(
                async () =>
                {
                    using HttpResponseMessage read = await client.GetAsync($"/databases/{Database}/stats");
                    return read.StatusCode == HttpStatusCode.OK;
                },
                $"{each} does not know a key");
        }

        return key;
    }

    private HttpClient Client(string tag, X509Certificate2? certificate)
    {
        HttpClient client = NewClient(tag, certificate);
        _owned.Add(client);
        return client;
    }

    private HttpClient NewClient(string tag, X509Certificate2? certificate) => new(TlsPlaces.HandlerOf(certificate))
    {
        BaseAddress = new Uri(_cluster.UrlOf(tag)),
        DefaultRequestVersion = HttpVersion.Version20,
        DefaultVersionPolicy = HttpVersionPolicy.RequestVersionExact,
        Timeout = TimeSpan.FromSeconds(30),
    };
}
