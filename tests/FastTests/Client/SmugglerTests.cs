using System.Text;
using System.Text.Json;
using Raven.Client.Documents;
using Raven.Client.Documents.Operations;
using Raven.Client.Documents.Session;
using Raven.Client.Documents.Smuggler;
using Raven.Client.Exceptions;

namespace FastTests.Client;

/// <summary>Exports and imports of a store against the real server.</summary>
public sealed class SmugglerTests(ClientFixture fixture) : IClassFixture<ClientFixture>, IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("smuggler").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Theory]
    [InlineData(ExportCompressionAlgorithm.Gzip)]
    [InlineData(ExportCompressionAlgorithm.Zstd)]
    public async Task A_database_goes_through_a_file_into_another(ExportCompressionAlgorithm compression)
    {
        using DocumentStore from = await FilledAsync();
        using DocumentStore to = fixture.NewStore();
        string file = Path.Combine(_folder, "new", "shop.ravendbdump");
        Operation export = await from.Smuggler.ExportAsync(
            new DatabaseSmugglerExportOptions { CompressionAlgorithm = compression }, file);
        JsonElement exported = (await export.WaitForCompletionAsync())!.Value;
        Assert.Equal(3, exported.GetProperty("Documents").GetProperty("ReadCount").GetInt32());
        Assert.Equal(
            ["shop.ravendbdump"],
            Directory.GetFiles(Path.GetDirectoryName(file)!).Select(path => Path.GetFileName(path)));
        Operation import = await to.Smuggler.ImportAsync(new DatabaseSmugglerImportOptions(), file);
        await import.WaitForCompletionAsync();
        Assert.Equal(["Ann", "Bob", "Cid"], await NamesAsync(to));
    }

    [Fact]
    public async Task A_database_goes_through_a_stream_which_stays_open()
    {
        using DocumentStore from = await FilledAsync();
        using DocumentStore to = fixture.NewStore();
        using var dump = new MemoryStream();
        await (await from.Smuggler.ExportAsync(new DatabaseSmugglerExportOptions(), dump)).WaitForCompletionAsync();
        dump.Position = 0;
        Operation import = await to.Smuggler.ImportAsync(new DatabaseSmugglerImportOptions(), dump);
        await import.WaitForCompletionAsync();
        Assert.Equal(["Ann", "Bob", "Cid"], await NamesAsync(to));
    }

    [Fact]
    public async Task A_database_goes_straight_into_another_or_in_part()
    {
        using DocumentStore from = await FilledAsync();
        using DocumentStore to = fixture.NewStore();
        Operation copy = await from.Smuggler.ExportAsync(
            new DatabaseSmugglerExportOptions { TransformScript = "if (this.Name === 'Bob') throw 'skip';" },
            to.Smuggler.ForDatabase(to.Database!));
        await copy.WaitForCompletionAsync();
        Assert.Equal(["Ann", "Cid"], await NamesAsync(to));
        using DocumentStore none = fixture.NewStore();
        copy = await from.Smuggler.ExportAsync(
            new DatabaseSmugglerExportOptions
            {
                OperateOnTypes = DatabaseItemType.Documents, Collections = { "Companies" }, MaxReadOpsPerSecond = 1_000,
            },
            none.Smuggler);
        await copy.WaitForCompletionAsync();
        Assert.Empty(await NamesAsync(none));
    }

    [Fact]
    public async Task A_broken_dump_or_option_is_an_exception_and_leaves_no_file()
    {
        using DocumentStore store = await FilledAsync();
        using var broken = new MemoryStream(Encoding.UTF8.GetBytes("{\"Docs\":[{]}"));
        RavenException refused = await Assert.ThrowsAnyAsync<RavenException>(
            () => store.Smuggler.ImportAsync(new DatabaseSmugglerImportOptions(), broken));
        Assert.Contains("item 0 of Docs", refused.Message, StringComparison.Ordinal);
        string file = Path.Combine(_folder, "none.ravendbdump");
        await Assert.ThrowsAnyAsync<RavenException>(() => store.Smuggler.ExportAsync(
            new DatabaseSmugglerExportOptions { TransformScript = "this.A = " }, file));
        Assert.Empty(Directory.GetFiles(_folder));
    }

    private async Task<DocumentStore> FilledAsync()
    {
        DocumentStore store = fixture.NewStore();
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        foreach (string name in (string[])["Ann", "Bob", "Cid"])
        {
            await session.StoreAsync(new User { Name = name }, $"users/{name}");
        }

        await session.SaveChangesAsync();
        return store;
    }

    private static async Task<string[]> NamesAsync(DocumentStore store)
    {
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        IEnumerable<User> users = await session.Advanced.LoadStartingWithAsync<User>("users/");
        return [.. users.Select(user => user.Name!).Order(StringComparer.Ordinal)];
    }
}
