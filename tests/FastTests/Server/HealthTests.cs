using System.Text.Json.Nodes;
using Raven.Documents;
using Raven.Server.Handlers;
using Shared.Storage;

namespace FastTests.Server;

/// <summary>The report of <c>/healthz</c> on an open database whose disk fails.</summary>
public sealed class HealthTests
{
    private readonly InMemoryRequest _health = new("GET", "/healthz");
    private readonly InMemoryRequest _put = new("PUT", "/databases/db/docs", "?id=a", "{\"N\":1}");
    private readonly InMemoryRequest _get = new("GET", "/databases/db/docs", "?id=a");

    [Fact]
    public void The_health_report_names_a_database_that_refuses_writes_and_the_reason_while_it_is_open()
    {
        FailingFileSystem disk = null!;
        using var server = new InMemoryServer(files: inner => disk = new FailingFileSystem(inner));
        Assert.Equal(201, server.Send(_put));
        Assert.Equal((200, "Healthy"), Health(server));

        disk.Fails = true;
        Assert.NotEqual(201, server.Send(_put));
        disk.Fails = false;
        Assert.Equal(503, server.Send(_put));
        Assert.Equal(200, server.Send(_get));
        Assert.Equal((503, "Faulted"), Health(server));
        Assert.Contains("Input/output error", Faults()["db"]!.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public void The_health_report_names_a_database_with_a_full_disk_until_a_write_succeeds()
    {
        QuotaFileSystem disk = null!;
        using var server = new InMemoryServer(files: inner => disk = new QuotaFileSystem(inner));
        FillUp(server, () => disk);
        Assert.Equal((503, "DiskFull"), Health(server));
        Assert.NotEmpty(Faults()["db"]!.ToString());
        Assert.Equal(200, server.Send(_get));

        disk.BytesMax = long.MaxValue;
        Assert.Equal(201, server.Send(_put));
        Assert.Equal((200, "Healthy"), Health(server));
        Assert.Empty(Faults());
    }

    [Fact]
    public void The_health_report_drops_a_full_disk_some_time_after_the_last_refused_write()
    {
        var clock = new LaterClock();
        QuotaFileSystem disk = null!;
        using var server = new InMemoryServer(clock, inner => disk = new QuotaFileSystem(inner));
        FillUp(server, () => disk);
        clock.Later = DiskSpaceMonitor.Memory - TimeSpan.FromSeconds(10);
        Assert.Equal((503, "DiskFull"), Health(server));
        clock.Later = DiskSpaceMonitor.Memory;
        Assert.Equal((200, "Healthy"), Health(server));
    }

    [Fact]
    public void The_health_report_names_a_full_disk_of_the_catalog_until_a_database_can_be_created()
    {
        QuotaFileSystem disk = null!;
        using var server = new InMemoryServer(
            files: inner => inner, catalog: inner => disk = new QuotaFileSystem(inner));
        var create = new InMemoryRequest(
            "PUT", "/admin/databases", "?name=two", $$"""{"Settings":{"Noise":"{{Noise()}}"},"DatabaseName":"two"}""");
        disk.BytesMax = 0;
        Assert.Equal(507, server.Send(create));
        Assert.Equal((503, "DiskFull"), Health(server));
        Assert.NotEmpty(Faults()["System~"]!.ToString());
        Assert.Equal(201, server.Send(_put));

        disk.BytesMax = long.MaxValue;
        Assert.Equal(201, server.Send(create));
        Assert.Equal((200, "Healthy"), Health(server));
        Assert.Empty(Faults());
    }

    [Theory]
    [Trait("Fault", "B15")]
    [InlineData(20, 24, false)]
    [InlineData(2, 24, true)]
    [InlineData(100, 100_000, false)]
    [InlineData(60, 100_000, true)]
    public void A_disk_counts_as_full_by_its_free_bytes_and_a_small_disk_by_its_free_share(
        long freeMegabytes, long totalMegabytes, bool isFull) =>
        Assert.Equal(isFull, HealthHandler.IsFull(freeMegabytes << 20, totalMegabytes << 20));

    /// <summary>Writes until there is no room for more.</summary>
    private void FillUp(InMemoryServer server, Func<QuotaFileSystem> disk)
    {
        Assert.Equal(201, server.Send(_put));
        disk().BytesMax = 0;
        var large = new InMemoryRequest("PUT", "/databases/db/docs", "?id=large/", $$"""{"T":"{{Noise()}}"}""");
        int status = 201;
        for (int i = 0; status == 201 && i < 100; i++)
        {
            status = server.Send(large);
        }

        Assert.Equal(507, status);
    }

    /// <summary>A text that no compression makes small.</summary>
    private static string Noise()
    {
        byte[] noise = new byte[300_000];
        new Random(1).NextBytes(noise);
        return Convert.ToBase64String(noise);
    }

    private (int Status, string? Word) Health(InMemoryServer server)
    {
        int status = server.Send(_health);
        return (status, (string?)JsonNode.Parse(_health.Answer)!["Status"]);
    }

    private JsonObject Faults() => JsonNode.Parse(_health.Answer)!["Faults"]!.AsObject();

    /// <summary>The system's clock, put forward.</summary>
    private sealed class LaterClock : TimeProvider
    {
        internal TimeSpan Later { get; set; }

        public override long GetTimestamp() =>
            System.GetTimestamp() + (long)(Later.TotalSeconds * TimestampFrequency);
    }
}
