using System.IO.Compression;
using System.Text;
using FastTests.Support;
using Raven.CommandLine.Import.Input;
using Raven.CommandLine.Import.Server;

namespace FastTests.Tools;

public sealed class ImportInputTests
{
    private const string Array = """  [ {"a":1} ,{"b":"]},{"}, {} ]  """;
    private const string Concatenated = """{"a":1}{"b":"]},{"}   {}""";
    private const string Lines = "{\"a\":1}\r\n\n{\"b\":\"]},{\"}\n{}";

    [Theory]
    [InlineData(Array, "x.json")]
    [InlineData(Concatenated, "x.json")]
    [InlineData(Lines, "x.json")]
    [InlineData(Lines, "x.ndjson")]
    [InlineData("\uFEFF" + Array, "x.json")]
    [InlineData("\uFEFF" + Lines, "x.jsonl.gz")]
    [InlineData(
        """{"BuildVersion":41004,"Identities":[{"x":[]}],"Docs":[{"a":1},{"b":"]},{"},{}],"Indexes":[{}]}""",
        "x.ravendbdump")]
    public void Every_input_form_gives_the_same_documents_in_pieces_of_any_size(string text, string name)
    {
        byte[] bytes = Encoding.UTF8.GetBytes(text);
        for (int piece = 1; piece <= bytes.Length; piece++)
        {
            Assert.Equal(["{\"a\":1}", "{\"b\":\"]},{\"}", "{}"], Read(name, bytes, piece));
        }

        Assert.Equal(3, Read(name, Gzip(bytes), 7).Count);
    }

    [Theory]
    [InlineData("x.ndjson", "{\"a\":1}\n{\"a\":tru}\n{}", 2, 9)]
    [InlineData("x.ndjson", "{\"a\":1}\n{\"a\":1\n{}", 2, 7)]
    [InlineData("x.ndjson", "{\"a\":1} {}\n", 1, 9)]
    [InlineData("x.ndjson", "{\"a\":1}\n\n  7\n", 3, 3)]
    [InlineData("x.json", "[{\"a\":1},\n {\"a\":1}\n {}]", 3, 2)]
    [InlineData("x.json", "[{\"a\":1},\n {\"a\":01}]", 2, 8)]
    [InlineData("x.json", "[{\"a\":1},\n", 2, 1)]
    [InlineData("x.json", "[{}] x", 1, 6)]
    [InlineData("x.json", "{\"a\":\n\n\"\u0001\"}", 3, 2)]
    [InlineData("x.ndjson", "{}\n{\"a\":1,\"a\":2}", 2, 8)]
    [InlineData("x.ravendbdump", "{\"a\":1,\n\"Docz\":[]}", 2, 10)]
    public void A_broken_document_of_an_import_is_reported_with_line_and_column(
        string name, string text, int line, int column)
    {
        byte[] bytes = Encoding.UTF8.GetBytes(text);
        for (int piece = 1; piece <= bytes.Length; piece++)
        {
            var failure = Assert.Throws<ImportFormatException>(() => Read(name, bytes, piece));

            Assert.Equal((name, line, column), (failure.File, failure.Line, failure.Column));
        }
    }

    [Fact]
    public void Bytes_of_an_import_that_are_not_UTF8_are_refused_with_their_position()
    {
        byte[] bytes = [.. "{}\n{\"a\":\"x"u8, 0xC3, 0x28, .. "\"}"u8];

        var failure = Assert.Throws<ImportFormatException>(() => Read("x.ndjson", bytes, 3));

        Assert.Equal((2, 8), (failure.Line, failure.Column));
    }

    [Fact]
    public void A_document_larger_than_the_import_buffer_is_read_whole()
    {
        string big = $$"""{"text":"{{new string('x', 3_000_000)}}"}""";

        Assert.Equal([big, big], Read("x.json", Encoding.UTF8.GetBytes(big + big), 100_000));
        Assert.Equal([big, big], Read("x.ndjson", Encoding.UTF8.GetBytes(big + "\n" + big), 100_000));
    }

    [Theory]
    [InlineData(100, true)]
    [InlineData(200, false)]
    public void An_import_accepts_documents_as_deep_as_the_server_does(int depth, bool isTaken)
    {
        string nested = string.Concat(Enumerable.Repeat("{\"a\":", depth)) + "1" + new string('}', depth);
        byte[] bytes = Encoding.UTF8.GetBytes(nested);

        if (isTaken)
        {
            Assert.Equal([nested], Read("x.ndjson", bytes, 50));
            Assert.True(new DocumentEnvelope(new IdentityOptions()).TryIdentify(bytes, out _, out _));
        }
        else
        {
            Assert.Throws<ImportFormatException>(() => Read("x.ndjson", bytes, 50));
        }
    }

    [Fact]
    public void Raw_control_characters_in_strings_are_escaped_and_counted_if_the_option_says_so()
    {
        byte[] bytes = Encoding.UTF8.GetBytes("{\n\"a\":\"x\u0019\\\"\u0001\",\t\"b\":\"\\\\\",\"c\":\"\n\"}");
        using SourceFile file = SourceFile.Open(
            "x.json", new MemoryStream(bytes), new SourceOptions { RepairControlCharacters = true });

        Assert.True(file.TryRead(out ReadOnlyMemory<byte> document));

        Assert.Equal(
            "{\n\"a\":\"x\\u0019\\\"\\u0001\",\t\"b\":\"\\\\\",\"c\":\"\\u000a\"}",
            Encoding.UTF8.GetString(document.Span));
        Assert.Equal(3, file.Repairs);
        Assert.Throws<ImportFormatException>(() => Read("x.json", bytes, 100));
    }

    [Fact]
    public void Bytes_of_CSV_that_are_not_UTF8_are_refused_with_their_position()
    {
        byte[] bytes = [.. "a,b\n1,2\n3,\"x\né\"\""u8, 0xC3, 0x28, .. "\"\n"u8];

        var failure = Assert.Throws<ImportFormatException>(() => Read("x.csv", bytes, 3));

        Assert.Equal((4, 5), (failure.Line, failure.Column));
    }

    [Theory]
    [InlineData("a,b\n1,2\n3,\"opened here\n", 3, 3, "quote")]
    [InlineData("a,b\n1,2\n3,4", 3, 1, "row")]
    public void A_CSV_row_without_an_end_is_refused_with_the_position_of_its_beginning(
        string text, int line, int column, string says)
    {
        byte[] bytes = [.. Encoding.UTF8.GetBytes(text), .. Enumerable.Repeat((byte)'x', 100_000)];
        using var stream = new MemoryStream(bytes);
        var reader = new CsvReader("x.csv", stream, bufferSizeBytes: 16, rowSizeBytesMax: 1000);

        var failure = Assert.Throws<ImportFormatException>(() =>
        {
            while (reader.TryReadRow())
            {
            }
        });

        Assert.Equal((line, column), (failure.Line, failure.Column));
        Assert.Contains(says, failure.Reason, StringComparison.Ordinal);
        Assert.True(stream.Position < 2000, $"{stream.Position} bytes were read.");
    }

    [Fact]
    public void A_CSV_row_becomes_a_document_with_types_by_the_form_of_its_fields()
    {
        const string Csv = "zip,city,pop,ok,empty,quoted\n"
            + "01001,\"AGA\"\"WAM, MA\",15338,true,,\"7\"\r\n2,é,-1.5e3,false,x,\"\"\n";

        Assert.Equal(
            [
                """{"zip":"01001","city":"AGA\u0022WAM, MA","pop":15338,"ok":true,"empty":null,"quoted":"7"}""",
                """{"zip":2,"city":"\u00E9","pop":-1.5e3,"ok":false,"empty":"x","quoted":""}""",
            ],
            Read("x.csv", Encoding.UTF8.GetBytes(Csv), 5));
    }

    [Theory]
    [InlineData("a,b\n1,2\n1,2,3\n", 3, 5)]
    [InlineData("a,b\n1,2\n\"x\ny\",2,\"3\"", 4, 6)]
    [InlineData("a,b\n1\n", 2, 2)]
    [InlineData("a,b\n\"1\"", 2, 4)]
    [InlineData("a,b\n1,x\"y\"\n", 2, 4)]
    [InlineData("a,b\n1,\"y\"z\n", 2, 6)]
    [InlineData("a,b\n1,\"y\nz", 2, 3)]
    [InlineData("a,a\n1,2\n", 1, 3)]
    public void A_broken_CSV_row_is_reported_with_line_and_column(string text, int line, int column)
    {
        for (int piece = 1; piece <= text.Length; piece++)
        {
            var failure = Assert.Throws<ImportFormatException>(
                () => Read("x.csv", Encoding.UTF8.GetBytes(text), piece));

            Assert.Equal((line, column), (failure.Line, failure.Column));
        }
    }

    [Theory]
    [InlineData("0", true)]
    [InlineData("-12.50", true)]
    [InlineData("1e5", true)]
    [InlineData("1E+05", true)]
    [InlineData("00", false)]
    [InlineData("01", false)]
    [InlineData("1.", false)]
    [InlineData(".5", false)]
    [InlineData("+1", false)]
    [InlineData("1e", false)]
    [InlineData("1e999", false)]
    [InlineData("-", false)]
    [InlineData("12a", false)]
    public void A_CSV_field_becomes_a_number_only_if_it_is_one_in_JSON(string field, bool isNumber) =>
        Assert.Equal(isNumber, CsvSource.IsNumber(Encoding.UTF8.GetBytes(field)));

    [Fact]
    public void Random_CSV_is_read_back_as_it_was_written_with_any_buffer_size()
    {
        const int Seed = 20251121;
        for (int round = 0; round < 300; round++)
        {
            var random = new Random(Seed + round);
            List<string[]> rows = RandomRows(random);
            byte[] bytes = Encoding.UTF8.GetBytes(WriteCsv(rows, random));
            var stream = new PieceStream(bytes, random.Next(1, 200));
            var reader = new CsvReader("x.csv", stream, bufferSizeBytes: random.Next(1, 300));
            var read = new List<string[]>();
            while (reader.TryReadRow())
            {
                read.Add([.. Enumerable.Range(0, reader.FieldCount).Select(field => TextOf(reader, field))]);
            }

            Assert.True(
                rows.Select(row => string.Join('|', row)).SequenceEqual(read.Select(row => string.Join('|', row))),
                $"seed {Seed + round}");
        }
    }

    [Fact]
    public void Reading_CSV_allocates_nothing_per_row()
    {
        string text = string.Concat(Enumerable.Repeat("12345,some text,,x,y,2020-01-01\n", 20_000));
        byte[] bytes = Encoding.UTF8.GetBytes(text);
        int rows = 0;
        long ofAll = Allocated.Least(() =>
        {
            var reader = new CsvReader("x.csv", new MemoryStream(bytes), bufferSizeBytes: 4096);
            for (rows = 0; reader.TryReadRow(); rows++)
            {
                // Only read.
            }
        });
        Assert.Equal(20_000, rows);
        Assert.InRange(ofAll, 0, rows);
    }

    [Theory]
    [InlineData("tate-artworks", 200)]
    [InlineData("tate-artists", 78)]
    [InlineData("mdn-compat", 100)]
    [InlineData("northwind", 1051)]
    public void The_sample_data_has_the_documents_that_its_README_says(string name, int documents)
    {
        string samples = Path.Combine(FastTests.Architecture.SourceTree.Root, "samples", "data");
        string readme = File.ReadAllText(Path.Combine(samples, "README.md"));
        using SourceFile file = SourceFile.Open(Path.Combine(samples, $"{name}.ndjson.gz"), new SourceOptions());

        int count = 0;
        while (file.TryRead(out _))
        {
            count++;
        }

        Assert.Equal(documents, count);
        Assert.Contains($"| `{name}.ndjson.gz` | {documents:N0} |", readme, StringComparison.Ordinal);
    }

    private static string TextOf(CsvReader reader, int field)
    {
        string text = Encoding.UTF8.GetString(reader.GetField(field));
        return reader.IsEscaped(field) ? text.Replace("\"\"", "\"", StringComparison.Ordinal) : text;
    }

    private static List<string[]> RandomRows(Random random)
    {
        const string Alphabet = "ab,\"\n\r éx0123456789";
        var rows = new List<string[]>();
        for (int row = random.Next(0, 12); row >= 0; row--)
        {
            string[] fields = new string[random.Next(2, 7)];
            for (int field = 0; field < fields.Length; field++)
            {
                int length = random.Next(4) == 0 ? random.Next(90) : random.Next(6);
                fields[field] = string.Concat(
                    Enumerable.Range(0, length).Select(_ => Alphabet[random.Next(Alphabet.Length)]));
            }

            rows.Add(fields);
        }

        return rows;
    }

    private static string WriteCsv(List<string[]> rows, Random random)
    {
        string newLine = random.Next(2) == 0 ? "\n" : "\r\n";
        IEnumerable<string> lines = rows.Select(row => string.Join(',', row.Select(field =>
            field.AsSpan().IndexOfAny(",\"\n\r") >= 0 || random.Next(5) == 0
                ? $"\"{field.Replace("\"", "\"\"", StringComparison.Ordinal)}\""
                : field)));
        return string.Join(newLine, lines) + (random.Next(2) == 0 ? newLine : "");
    }

    private static List<string> Read(string name, byte[] bytes, int piece)
    {
        using SourceFile file = SourceFile.Open(name, new PieceStream(bytes, piece), new SourceOptions());
        var documents = new List<string>();
        while (file.TryRead(out ReadOnlyMemory<byte> document))
        {
            documents.Add(Encoding.UTF8.GetString(document.Span));
        }

        return documents;
    }

    private static byte[] Gzip(byte[] bytes)
    {
        using var packed = new MemoryStream();
        using (var gzip = new GZipStream(packed, CompressionLevel.Fastest))
        {
            gzip.Write(bytes);
        }

        return packed.ToArray();
    }

    /// <summary>Gives at most so many bytes a read, as a network does.</summary>
    private sealed class PieceStream(byte[] bytes, int piece) : MemoryStream(bytes)
    {
        public override int Read(Span<byte> buffer) => base.Read(buffer[..Math.Min(buffer.Length, piece)]);

        public override int Read(byte[] buffer, int offset, int count) =>
            base.Read(buffer, offset, Math.Min(count, piece));
    }
}
