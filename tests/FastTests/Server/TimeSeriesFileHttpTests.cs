using System.Globalization;
using System.IO.Compression;
using System.Net;
using System.Text;
using System.Text.Json.Nodes;
using Raven.Documents;
using Raven.Documents.Smuggler;

namespace FastTests.Server;

/// <summary>Time series from files: CSV and JSON lines.</summary>
public sealed class TimeSeriesFileHttpTests(DatabaseFixture fixture) : IClassFixture<DatabaseFixture>
{
    private const string Time = "2026-01-01T10:00:00.0000000Z";
    private readonly TestServer _server = fixture.Server;

    [Theory]
    [InlineData("csv")]
    [InlineData("jsonl")]
    public async Task What_was_written_is_read_back_bit_for_bit(string format)
    {
        string id = await NewDocumentAsync();
        var random = new Random(7);
        var lines = new StringBuilder();
        for (int i = 0; i < 40_000; i++)
        {
            double value;
            do
            {
                value = BitConverter.Int64BitsToDouble(random.NextInt64(long.MinValue, long.MaxValue));
            }
            while (!double.IsFinite(value));

            string tag = (i % 3) switch { 0 => "null", 1 => "\"watches/ä,\\\"7\\\"\"", _ => "\"=1+1\\n\"" };
            string second = i % 2 == 0 ? "" : ",-0.0";
            lines.Append(CultureInfo.InvariantCulture, $$"""{"Tag":{{tag}},"Timestamp":{{i * 1000L}},""")
                .Append(CultureInfo.InvariantCulture, $$"""
                    "Values":[{{value:R}}{{second}}],"IsRollup":false}
                    """).Append('\n');
        }

        Assert.Equal(40_000, (int)(await PostAsync(id, "a", "jsonl", lines.ToString())).Json["Entries"]!);
        byte[] file = (await GetAsync(id, "a", format)).Bytes;
        Assert.Equal(40_000, (int)(await PostAsync(id, "b", format, file)).Json["Entries"]!);
        Assert.Equal(
            (await GetAsync(id, "a", "jsonl")).Text, (await GetAsync(id, "b", "jsonl")).Text);
        string[] rows = (await GetAsync(id, "b", "jsonl")).Text.Split('\n');
        Assert.Contains(",-0]", rows[1], StringComparison.Ordinal);
        Assert.Contains("\"=1+1\\n\"", rows[2], StringComparison.Ordinal);
    }

    [Fact]
    public async Task Csv_is_read_as_table_programs_write_it()
    {
        string id = await NewDocumentAsync();
        await PostAsync(
            id, "x", "csv",
            "\uFEFFRate,TAG,timestamp,Effort\r\n71,\"a,\"\"b\"\"\",2026-01-01 10:00:00+00:00,\r\n"
            + "\r\n1e-3,,1767261600001,2\n72,t,2026-01-01T12:00:00+01:00\r73,, 2026-01-01");
        JsonArray entries = (await ReadAsync(id, "x"))["Entries"]!.AsArray();
        Assert.Equal(
            ["2026-01-01T00:00:00.0000000Z", Time, "2026-01-01T10:00:00.0010000Z", "2026-01-01T11:00:00.0000000Z"],
            entries.Select(entry => (string?)entry!["Timestamp"]));
        Assert.Equal("a,\"b\"", (string?)entries[1]!["Tag"]);
        Assert.Equal("[71]", entries[1]!["Values"]!.ToJsonString());
        Assert.Equal("[0.001,2]", entries[2]!["Values"]!.ToJsonString());
        Assert.Null(entries[2]!["Tag"]);
    }

    [Fact]
    public async Task A_packed_file_is_read_and_one_without_entries_changes_nothing()
    {
        string id = await NewDocumentAsync();
        using var packed = new MemoryStream();
        using (var gzip = new GZipStream(packed, CompressionLevel.Fastest, leaveOpen: true))
        {
            gzip.Write(Encoding.UTF8.GetBytes($"Timestamp,V\n{Time},1\n"));
        }

        Assert.Equal(1, (int)(await PostAsync(id, "x", "csv", packed.ToArray())).Json["Entries"]!);
        Assert.Equal(0, (int)(await PostAsync(id, "y", "csv", "Timestamp,V\n")).Json["Entries"]!);
        Assert.Equal(0, (int)(await PostAsync(id, "y", "jsonl", "\n \n")).Json["Entries"]!);
        (await _server.SendAsync("GET", $"~/timeseries?docId={id}&name=y")).Expect(HttpStatusCode.NotFound);
    }

    [Theory]
    [InlineData("csv", "", "empty")]
    [InlineData("csv", "Tag,V\n", "Timestamp")]
    [InlineData("csv", "Timestamp,Tag\n", "1 to 32 values")]
    [InlineData("csv", ",Timestamp,V\n", "column 1 has no name")]
    [InlineData("csv", "Timestamp,V\n2026-01-01,1\nyesterday,1\n", "line 3 has no time")]
    [InlineData("csv", "Timestamp,V\n1.5,1\n", "line 2 has no time")]
    [InlineData("csv", "Timestamp,V\n1e3,1\n", "line 2 has no time")]
    [InlineData("csv", "Timestamp,V\n12:30,1\n", "line 2 has no time")]
    [InlineData("csv", "Timestamp,V\n05/06/2026,1\n", "line 2 has no time")]
    [InlineData("csv", "Timestamp,V\n2026-1-5,1\n", "line 2 has no time")]
    [InlineData("csv", "Timestamp,V\n2026-01-055,1\n", "line 2 has no time")]
    [InlineData("csv", "Timestamp,V\n2026-13-01,1\n", "line 2 has no time")]
    [InlineData("csv", "Timestamp,V\n,1\n", "line 2 has no time")]
    [InlineData("csv", "Timestamp,V\n9999999999999999,1\n", "line 2 has no time")]
    [InlineData("csv", "Timestamp,V,W\n2026-01-01,,1\n", "in column 3, and none before it")]
    [InlineData("csv", "Timestamp,V\n2026-01-01,\n", "no value")]
    [InlineData("csv", "Timestamp,V\n2026-01-01,NaN\n", "no finite number in column 2")]
    [InlineData("csv", "Timestamp,V\n2026-01-01,1e999\n", "no finite number")]
    [InlineData("csv", "Timestamp,V\n2026-01-01,1,2\n", "3 cells")]
    [InlineData("csv", "Timestamp,V\n2026-01-01,\"1\n", "within a cell in quotes")]
    [InlineData("jsonl", "{}", "line 1: it has no Timestamp")]
    [InlineData("jsonl", "\n[1]", "line 2: it is no JSON object")]
    [InlineData("jsonl", "{\"Timestamp\":1,\"Values\":[1]}{}", "something follows")]
    [InlineData("jsonl", "{\"Timestamp\":1,\"Values\":[1]", "no JSON object")]
    [InlineData("jsonl", "{\"Timestamp\":true,\"Values\":[1]}", "Timestamp is no time")]
    [InlineData("jsonl", "{\"Timestamp\":1.5,\"Values\":[1]}", "Timestamp is no time")]
    [InlineData("jsonl", "{\"Timestamp\":\"1.5\",\"Values\":[1]}", "Timestamp is no time")]
    [InlineData("jsonl", "{\"Timestamp\":1,\"Values\":[]}", "no Values")]
    [InlineData("jsonl", "{\"Timestamp\":1,\"Values\":[1,\"2\"]}", "Values[1]")]
    [InlineData("jsonl", "{\"Timestamp\":1,\"Values\":[1e999]}", "Values[0] is no finite number")]
    [InlineData("jsonl", "{\"Timestamp\":1,\"Values\":1}", "Values is no list")]
    [InlineData("jsonl", "{\"Timestamp\":1,\"Tag\":1,\"Values\":[1]}", "Tag is no text")]
    public async Task What_is_broken_is_refused_with_its_place(string format, string file, string says)
    {
        string id = await NewDocumentAsync();
        (await SendAsync(id, "x", format, Encoding.UTF8.GetBytes(file))).ExpectError(400, says);
    }

    [Fact]
    public async Task Tags_values_and_lines_have_limits()
    {
        string id = await NewDocumentAsync();
        string tag = new('t', 255);
        await PostAsync(id, "x", "jsonl", $$"""{"Timestamp":1,"Tag":"{{tag}}","Values":[1]}""");
        (await SendAsync(id, "x", "jsonl", Bytes($$"""{"Timestamp":1,"Tag":"{{tag}}t","Values":[1]}""")))
            .ExpectError(400, "255 bytes");
        (await SendAsync(id, "x", "csv", Bytes($"Timestamp,Tag,V\n1,{tag}t,1\n"))).ExpectError(400, "255 is the most");
        string many = string.Join(',', Enumerable.Range(0, 33));
        (await SendAsync(id, "x", "jsonl", Bytes($$"""{"Timestamp":1,"Values":[{{many}}]}""")))
            .ExpectError(400, "more than 32");
        (await SendAsync(id, "x", "csv", Bytes($"Timestamp,{many}\n"))).ExpectError(400, "1 to 32 values");
        (await SendAsync(id, "x", "jsonl", Bytes(new string(' ', 70_000)))).ExpectError(400, "more than 65536 bytes");
    }

    [Fact]
    public async Task The_entries_before_a_broken_one_are_in_and_counted()
    {
        string id = await NewDocumentAsync();
        var file = new StringBuilder("Timestamp,V\n");
        for (int i = 1; i <= 20_000; i++)
        {
            file.Append(CultureInfo.InvariantCulture, $"{i},{i}\n");
        }

        (await SendAsync(id, "x", "csv", Bytes(file + "never,1\n"))).ExpectError(400, "20000 entries are in");
        Assert.Equal(20_000, (int)(await ReadAsync(id, "x"))["TotalResults"]!);
    }

    [Fact]
    public async Task Names_documents_and_formats_that_cannot_be_are_refused()
    {
        string id = await NewDocumentAsync();
        byte[] line = Bytes("{\"Timestamp\":1,\"Values\":[1]}");
        (await SendAsync("none/1", "x", "jsonl", line)).ExpectError(404, "none/1");
        (await SendAsync(id, "x@ByHour", "jsonl", line)).ExpectError(400, "roll-ups");
        (await SendAsync(id, "INC:x", "jsonl", line)).ExpectError(400, "incremental");
        (await SendAsync(id, "x", "xml", line)).ExpectError(400, "xml");
    }

    [Fact]
    public async Task A_mark_that_comes_in_pieces_is_passed_over()
    {
        string id = await NewDocumentAsync();
        Assert.True(_server.Host.State.Databases.TryGet("db", out Database? database));
        foreach (string start in new[] { "\uFEFF", "" })
        {
            var import = new SeriesImport(database, _server.Host.State.Queries, Bytes(id), Bytes("x"), isCsv: true);
            using var file = new Pieces(Bytes(start + "Timestamp,V\n1,1\n"));
            await import.RunAsync(file, CancellationToken.None);
            Assert.Equal(1, import.Entries);
        }
    }

    private static byte[] Bytes(string text) => Encoding.UTF8.GetBytes(text);

    private async Task<string> NewDocumentAsync()
    {
        string id = $"files/{Guid.NewGuid():N}";
        await _server.PutAsync(id, "{}");
        return id;
    }

    private async Task<HttpAnswer> SendAsync(string id, string name, string format, byte[] file) =>
        await _server.SendAsync(
            "POST", $"~/streams/timeseries?docId={id}&name={Uri.EscapeDataString(name)}&format={format}",
            new ByteArrayContent(file));

    private async Task<HttpAnswer> PostAsync(string id, string name, string format, byte[] file) =>
        (await SendAsync(id, name, format, file)).Expect(HttpStatusCode.OK);

    private Task<HttpAnswer> PostAsync(string id, string name, string format, string file) =>
        PostAsync(id, name, format, Bytes(file));

    private async Task<HttpAnswer> GetAsync(string id, string name, string format) =>
        (await _server.SendAsync("GET", $"~/streams/timeseries?docId={id}&name={name}&format={format}"))
            .Expect(HttpStatusCode.OK);

    private async Task<JsonNode> ReadAsync(string id, string name) =>
        (await _server.SendAsync("GET", $"~/timeseries?docId={id}&name={name}")).Expect(HttpStatusCode.OK).Json;

    /// <summary>Gives one byte at a time.</summary>
    private sealed class Pieces(byte[] bytes) : MemoryStream(bytes)
    {
        public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default) =>
            base.ReadAsync(buffer[..Math.Min(1, buffer.Length)], cancellationToken);
    }
}
