using System.Text;
using System.Text.RegularExpressions;
using FastTests.Architecture;
using Raven.Server.Documents;

namespace FastTests.Server;

/// <summary>
/// What is stored was built to disk (its texts are compressed), what is only read to memory; and a body is built once,
/// in the memory from which its page is written.
/// </summary>
public sealed partial class StoredFormTests
{
    /// <summary>To a human one text, to the codec one letter and a length.</summary>
    private static readonly string Text = new('x', 600);

    /// <summary>Those of the handlers whose bodies become what is stored.</summary>
    private static readonly string[] Storing =
    [
        "src/Server/Handlers/DocumentWriteHandler.cs", "src/Server/Handlers/CompareExchangeHandler.cs",
        "src/Server/Handlers/ClusterTransaction.cs", "src/Server/Handlers/SampleDataHandler.cs",
    ];

    [Theory]
    [InlineData("PUT", "~/docs?id=a", """{"T":"$"}""")]
    [InlineData("POST", "~/bulk_docs", """{"Commands":[{"Id":"a","Type":"PUT","Document":{"T":"$"}}]}""")]
    [InlineData("POST", "~/bulk_docs", """{"Commands":[{"Type":"PUT","Document":{"T":"$"},"Id":"a"}]}""")]
    [InlineData("POST", "~/bulk_insert", """[{"Id":"a","Type":"PUT","Document":{"T":"$"}}]""")]
    [InlineData("PATCH", "~/docs?id=a",
        """{"Patch":{"Script":""},"PatchIfMissing":{"Script":"this.T = args.T","Values":{"T":"$"}}}""")]
    [InlineData("POST", "~/bulk_docs",
        """{"Commands":[{"Id":"a","Type":"PATCH","Patch":{"Script":""},"CreateIfMissing":{"T":"$"}}]}""")]
    public async Task A_document_is_stored_to_disk_whatever_way_it_comes(string method, string path, string body)
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        HttpAnswer answer = await server.SendAsync(method, path, body.Replace("$", Text, StringComparison.Ordinal));
        Assert.InRange(answer.Status, 200, 299);
        Assert.True(server.Host.State.Databases.TryGet("db", out Database? database));
        using DocumentSnapshot snapshot = database.BeginRead();
        Assert.True(snapshot.TryGet("a"u8, out StoredDocument document));
        Assert.True(document.Data.TryGet("T"u8, out var value));
        Assert.Equal(Text, value.GetString());
        ReadOnlySpan<byte> stored = document.Data.AsValue().Document.Memory.Span;
        Assert.Equal(-1, stored.IndexOf(Encoding.ASCII.GetBytes(Text)));
        Assert.InRange(stored.Length, 1, 100);
    }

    [Fact]
    public void A_body_that_is_only_read_is_built_to_memory()
    {
        string[] storing =
        [
            .. SourceTree.Files.Where(file => file.IsIn("src/Server/Handlers/"))
                .Where(file => file.Lines.Any(line => ToDisk().IsMatch(line))).Select(file => file.Path),
        ];
        Assert.Equal(Storing.Order(), storing.Order());
    }

    [Fact]
    public async Task A_body_is_copied_into_the_memory_of_its_request_once()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        var random = new Random(7);
        const int count = 60_000;
        string numbers = string.Join(',', Enumerable.Range(0, count).Select(_ => random.Next(1_000_000, 9_999_999)));
        await server.PutAsync("a", $"{{\"N\":[{numbers}]}}");
        Assert.True(server.Host.State.Databases.TryGet("db", out Database? database));
        using DocumentSnapshot snapshot = database.BeginRead();
        Assert.True(snapshot.TryGet("a"u8, out StoredDocument document));
        long stored = document.Data.AsValue().Document.Memory.Length;

        // The table of the array is made beside its values and then moved behind them.
        long most = server.Host.State.Contexts.GetStatistics().HighWaterBytes;
        Assert.InRange(most, stored, stored * 2.2);
    }

    [GeneratedRegex(@"\bBlittableMode\.ToDisk\b")]
    private static partial Regex ToDisk();
}
