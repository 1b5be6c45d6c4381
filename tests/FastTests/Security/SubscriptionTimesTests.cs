using System.Security.Cryptography.X509Certificates;
using System.Text.Json.Nodes;
using FastTests.Support;
using Raven.Security.Rights;
using Raven.Server.Http;

namespace FastTests.Security;

/// <summary>What a worker's connection does with time: heartbeats in every state, and how long it is waited for. Over
/// TLS, on a clock that the test moves.</summary>
public sealed class SubscriptionTimesTests : IDisposable
{
    private static readonly TimeSpan Silence = TimeSpan.FromSeconds(8);

    private readonly TlsServer _server = new();
    private readonly X509Certificate2 _certificate;
    private readonly HttpClient _client;

    public SubscriptionTimesTests()
    {
        _certificate = _server.Register(DatabaseRight.ReadWrite);
        _client = _server.Client(_certificate);
    }

    public void Dispose()
    {
        _client.Dispose();
        _certificate.Dispose();
        _server.Dispose();
    }

    [Fact]
    [Trait("Invariant", "WIRE-1")]
    public async Task A_heartbeat_comes_while_there_is_nothing_while_a_batch_is_open_and_while_a_worker_waits()
    {
        await PutAsync("/databases/red/subscriptions", "{\"Name\":\"mail\",\"Query\":\"from Users\"}");
        await using TlsWorker worker = await TlsWorker.OpenAsync(_server, _certificate, "mail");
        Assert.Equal("Accepted", (string?)(await worker.ReadAsync())["Status"]);
        await using TlsWorker waiting = await TlsWorker.OpenAsync(
            _server, _certificate, "mail", ",\"Strategy\":\"WaitForFree\"");
        await ExpectHeartbeatsAsync(worker, waiting);

        // However long it takes, the batch is acknowledged in the end.
        await PutAsync("/databases/red/docs?id=users/1", "{\"@metadata\":{\"@collection\":\"Users\"}}");
        Assert.Equal("Data", (string?)(await worker.ReadAsync())["Type"]);
        Assert.Equal("EndOfBatch", (string?)(await worker.ReadAsync())["Type"]);
        for (int i = 0; i < 3; i++)
        {
            await ExpectHeartbeatsAsync(worker, waiting);
        }

        await worker.SendAsync("{\"Type\":\"Acknowledge\"}");
        Assert.Equal("Confirm", (string?)(await worker.ReadAsync())["Type"]);
    }

    [Theory]
    [InlineData(54_000, "TcpVersionMismatch", "{\"DatabaseName\":\"red\"")]
    [InlineData(53_000, "Ok", "")]
    [InlineData(53_000, "Ok", "{\"SubscriptionName\":")]
    public async Task A_header_or_options_that_do_not_come_in_time_end_the_connection_with_the_reason(
        int version, string status, string begin)
    {
        await using TlsWorker worker = await TlsWorker.ConnectAsync(_server, _certificate);
        await worker.SendAsync(TlsWorker.Header.Replace("53000", $"{version}", StringComparison.Ordinal));
        Assert.Equal(status, (string?)(await worker.ReadAsync())["Status"]);
        await worker.SendAsync(begin);

        // The server may not wait for the rest yet when the clock is moved for the first time.
        Task<JsonNode> reading = worker.ReadAsync();
        await Deadline.UntilAsync(() =>
        {
            _server.Look(1);
            return reading.IsCompleted;
        });
        Assert.Contains(
            "did not come within", (string?)(await reading)["Message"], StringComparison.Ordinal);
        Assert.Equal(-1, await worker.ReadByteAsync());
    }

    [Fact]
    public async Task Options_that_are_too_long_end_the_connection_with_the_reason()
    {
        await using TlsWorker worker = await TlsWorker.ConnectAsync(_server, _certificate);
        await worker.SendAsync(TlsWorker.Header);
        Assert.Equal("Ok", (string?)(await worker.ReadAsync())["Status"]);
        await worker.SendAsync("{\"SubscriptionName\":\"" + new string('x', 70_000));
        Assert.Contains(
            "longer than 65536 bytes", (string?)(await worker.ReadAsync())["Message"], StringComparison.Ordinal);
        Assert.Equal(-1, await worker.ReadByteAsync());
    }

    private async Task ExpectHeartbeatsAsync(params TlsWorker[] workers)
    {
        _server.Clock.Ring(Silence);
        for (int i = 1; i < HeartbeatWheel.SlotCount; i++)
        {
            // Each step of the wheel is the turn of other workers.
            _server.Clock.Ring(TimeSpan.Zero);
        }

        foreach (TlsWorker worker in workers)
        {
            Assert.Equal('\r', await worker.ReadByteAsync());
            Assert.Equal('\n', await worker.ReadByteAsync());
        }
    }

    private async Task PutAsync(string path, string body)
    {
        using var content = new StringContent(body);
        (await _client.PutAsync(new Uri(path, UriKind.Relative), content)).EnsureSuccessStatusCode();
    }
}
