using System.Text;
using Raven.CommandLine.Import.Input;
using Raven.CommandLine.Import.Server;
using Raven.CommandLine.Import.Verbs;
using Raven.CommandLine.Output;

namespace FastTests.Tools;

/// <summary>The messages of the import tool if something is not as its user may think.</summary>
public sealed class ImportMessageTests : IAsyncLifetime
{
    private readonly string _directory = Directory.CreateTempSubdirectory("import").FullName;
    private readonly StringWriter _output = new();
    private FakeDatabase _database = null!;
    private ServerClient _client = null!;

    public async ValueTask InitializeAsync()
    {
        _database = await FakeDatabase.StartAsync("db");
        _client = new ServerClient(_database.Url, "db");
    }

    public async ValueTask DisposeAsync()
    {
        await _database.DisposeAsync();
        _client.Dispose();
        _output.Dispose();
        Directory.Delete(_directory, recursive: true);
    }

    [Fact]
    [Trait("Fault", "B13")]
    public async Task An_import_reports_documents_without_a_collection_at_once_and_counts_them_at_the_end()
    {
        string file = Write("a.ndjson", "{}", """{"@metadata":{"@collection":"Users"}}""", "{}");

        Assert.Equal(0, await ImportAsync(new IdentityOptions(), new SourceOptions(), file));

        string printed = _output.ToString();
        Assert.StartsWith("Line 1 of ", printed, StringComparison.Ordinal);
        Assert.Contains("2 documents have no collection", printed, StringComparison.Ordinal);
        Assert.Contains("--collection NAME", printed, StringComparison.Ordinal);
        _output.GetStringBuilder().Clear();
        Assert.Equal(0, await ImportAsync(new IdentityOptions { Collection = "Users" }, new SourceOptions(), file));
        Assert.DoesNotContain("collection", _output.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    [Trait("Fault", "B11")]
    public async Task A_CSV_column_of_texts_and_numbers_is_reported_and_a_given_type_unifies_it()
    {
        string file = Write("zips.csv", "zip,pop", "01234,5", "99999,7", "10001,");
        var identity = new IdentityOptions { Collection = "Zips" };

        Assert.Equal(0, await ImportAsync(identity, new SourceOptions(), file));
        Assert.Contains(
            "column 'zip' is text in 1 rows, and number or boolean in 2. --column zip=text makes all of them texts.",
            _output.ToString(), StringComparison.Ordinal);
        Assert.DoesNotContain("column 'pop'", _output.ToString(), StringComparison.Ordinal);
        Assert.Equal("99999", _database.Documents["Zips/2"]["zip"]!.ToJsonString());

        _output.GetStringBuilder().Clear();
        var typed = new SourceOptions { Columns = CsvColumns.Parse(["zip=text", "pop=Number"]) };
        Assert.Equal(0, await ImportAsync(identity, typed, file));
        Assert.Equal("\"99999\"", _database.Documents["Zips/2"]["zip"]!.ToJsonString());
        Assert.Equal("7", _database.Documents["Zips/2"]["pop"]!.ToJsonString());
        Assert.Null(_database.Documents["Zips/3"]["pop"]);
        Assert.DoesNotContain("column", _output.ToString(), StringComparison.Ordinal);
    }

    [Theory]
    [Trait("Fault", "B11")]
    [InlineData("n=number", "n\n1\nx\n", 3, "'x' is no number")]
    [InlineData("n=boolean", "n\ntrue\n1\n", 3, "'1' is no boolean")]
    [InlineData("m=text", "n\n1\n", 1, "no such column")]
    public void A_CSV_field_that_does_not_fit_the_type_of_its_column_is_reported_with_its_line(
        string column, string text, int line, string says)
    {
        using var stream = new MemoryStream(Encoding.UTF8.GetBytes(text));
        using SourceFile file = SourceFile.Open(
            "a.csv", stream, new SourceOptions { Columns = CsvColumns.Parse([column]) });
        ImportFormatException failure = Assert.Throws<ImportFormatException>(() =>
        {
            while (file.TryRead(out _))
            {
            }
        });
        Assert.Equal(line, failure.Line);
        Assert.Contains(says, failure.Message, StringComparison.Ordinal);
    }

    [Theory]
    [Trait("Fault", "B11")]
    [InlineData("zip")]
    [InlineData("=text")]
    [InlineData("zip=date")]
    [InlineData("zip=")]
    public void An_unknown_type_of_a_CSV_column_is_refused(string column) =>
        Assert.Contains(column, Assert.ThrowsAny<Exception>(() => CsvColumns.Parse([column])).Message);

    private async Task<int> ImportAsync(IdentityOptions identity, SourceOptions options, string file)
    {
        using var sources = new SourceSet([file], options);
        return await ImportVerb.RunAsync(_client, sources, identity, new VerbOutput(_output));
    }

    private string Write(string name, params string[] lines)
    {
        string path = Path.Combine(_directory, name);
        File.WriteAllLines(path, lines);
        return path;
    }
}
