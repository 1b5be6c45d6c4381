using System.IO.Compression;
using System.Text;
using Raven.Client.Documents;
using Raven.Client.Documents.Operations.TimeSeries;
using Raven.Client.Documents.Session;
using Raven.Client.Exceptions;

namespace FastTests.Client;

/// <summary>Time series as files, by the client, against the real server.</summary>
public sealed class TimeSeriesFileTests(ClientFixture fixture) : IClassFixture<ClientFixture>, IDisposable
{
    private static readonly DateTime Noon = new(2026, 1, 1, 12, 0, 0, DateTimeKind.Utc);
    private readonly string _folder = Directory.CreateTempSubdirectory("series-files").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Theory]
    [InlineData("a.csv", "Timestamp,Tag,Value0\r\n2026-01-01T12:01:00.0000000Z,watches/1,1\r\n")]
    [InlineData("a.jsonl", """{"Timestamp":"2026-01-01T12:01:00.0000000Z","Tag":"watches/1","Values":[1]}""" + "\n")]
    public async Task A_series_goes_through_a_file(string name, string expected)
    {
        using DocumentStore store = fixture.NewStore();
        await TimeSeriesTests.FillAsync(store);
        string file = Path.Combine(_folder, name);
        DateTime minute = Noon.AddMinutes(1);
        await store.TimeSeries.ExportAsync("users/1", "HeartRate", file, minute, minute);
        Assert.Equal(expected, await File.ReadAllTextAsync(file, TestContext.Current.CancellationToken));
        await store.TimeSeries.ExportAsync("users/1", "HeartRate", file);
        Assert.Equal(10, await store.TimeSeries.ImportAsync("users/2", "Copy", file));
        Assert.Equal([file], Directory.GetFiles(_folder));
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        Assert.Equal(
            (await session.TimeSeriesFor("users/1", "HeartRate").GetAsync())!.Select(it => (it.Timestamp, it.Value)),
            (await session.TimeSeriesFor("users/2", "Copy").GetAsync())!.Select(it => (it.Timestamp, it.Value)));
    }

    [Theory]
    [InlineData("a.csv.gz", "Timestamp,")]
    [InlineData("a.CSV.GZ", "Timestamp,")]
    [InlineData("a.jsonl.gz", "{")]
    [InlineData("a.gz", "{")]
    public async Task A_name_that_ends_with_gz_is_of_a_file_that_is_packed(string name, string begins)
    {
        using DocumentStore store = fixture.NewStore();
        await TimeSeriesTests.FillAsync(store);
        string file = Path.Combine(_folder, name);
        await store.TimeSeries.ExportAsync("users/1", "HeartRate", file);
        using (var lines = new StreamReader(new GZipStream(File.OpenRead(file), CompressionMode.Decompress)))
        {
            Assert.StartsWith(
                begins, await lines.ReadToEndAsync(TestContext.Current.CancellationToken), StringComparison.Ordinal);
        }

        Assert.Equal(10, await store.TimeSeries.ImportAsync("users/2", "Copy", file));
        Assert.Equal([file], Directory.GetFiles(_folder));
    }

    [Fact]
    public async Task Streams_are_written_and_read_and_stay_open()
    {
        using DocumentStore store = fixture.NewStore();
        await TimeSeriesTests.FillAsync(store);
        using var lines = new MemoryStream();
        await store.TimeSeries.ExportAsync("users/1", "HeartRate", lines, TimeSeriesFileFormat.Csv);
        lines.Position = 0;
        Assert.Equal(10, await store.TimeSeries.ForDatabase(store.Database!).ImportAsync(
            "users/2", "Copy", lines, TimeSeriesFileFormat.Csv));
        Assert.Equal(lines.Length, lines.Position);
    }

    [Fact]
    public async Task What_fails_leaves_no_file_and_says_why()
    {
        using DocumentStore store = fixture.NewStore();
        await TimeSeriesTests.FillAsync(store);
        string file = Path.Combine(_folder, "none.csv");
        RavenException missing = await Assert.ThrowsAnyAsync<RavenException>(
            () => store.TimeSeries.ExportAsync("users/1", "None", file));
        Assert.Contains("'None'", missing.Message, StringComparison.Ordinal);
        Assert.Empty(Directory.GetFiles(_folder));
        using var broken = new MemoryStream(Encoding.UTF8.GetBytes("Timestamp,V\n2026-01-01,1\n2026-01-02,x\n"));
        RavenException refused = await Assert.ThrowsAnyAsync<RavenException>(
            () => store.TimeSeries.ImportAsync("users/1", "New", broken, TimeSeriesFileFormat.Csv));
        Assert.Contains("line 3", refused.Message, StringComparison.Ordinal);
        Assert.Contains("1 entries are in", refused.Message, StringComparison.Ordinal);
        using var line = new MemoryStream("{\"Timestamp\":1,\"Values\":[1]}"u8.ToArray());
        await Assert.ThrowsAnyAsync<RavenException>(
            () => store.TimeSeries.ImportAsync("users/none", "New", line, TimeSeriesFileFormat.JsonLines));
    }
}
