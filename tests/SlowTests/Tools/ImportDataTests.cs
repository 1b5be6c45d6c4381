using Raven.Server;
using Raven.Server.Options;
using Raven.CommandLine.Import.Input;
using Raven.CommandLine.Import.Server;
using Raven.CommandLine.Import.Verbs;
using Raven.CommandLine.Output;

namespace SlowTests.Tools;

/// <summary>
/// Real data through the whole of it: import over HTTP, every document read back and compared, collections counted,
/// export, import of the export, compared again. The samples of the repository always; with DEV_BENCH_DATA every file
/// of that folder too.
/// </summary>
[Trait(Category.Shard, "import")]
public sealed class ImportDataTests(ITestOutputHelper output) : IDisposable
{
    private readonly string _directory = Directory.CreateTempSubdirectory("raven-import-").FullName;

    public static TheoryData<string> Samples => [.. FilesOf(Path.Combine(RepositoryRoot(), "samples", "data"))];

    public static TheoryData<string> DataSets =>
        Environment.GetEnvironmentVariable("DEV_BENCH_DATA") is { } folder ? [.. FilesOf(folder)] : Samples;

    public void Dispose() => Directory.Delete(_directory, recursive: true);

    [Theory]
    [MemberData(nameof(Samples))]
    [Trait(Category.Run, Category.Ci)]
    public Task A_sample_data_set_of_the_repository_is_imported_and_exported_unchanged(string file) =>
        RoundTripAsync(file);

    [Theory]
    [MemberData(nameof(DataSets))]
    public Task A_data_set_is_imported_and_exported_unchanged(string file) => RoundTripAsync(file);

    private async Task RoundTripAsync(string file)
    {
        await using ServerHost server = await ServerHost.StartAsync(new ServerOptions
        {
            ServerUrl = new Uri("http://127.0.0.1:0"),
            DataDirectory = Path.Combine(_directory, "data"),
        });
        using var log = new StringWriter();
        var said = new VerbOutput(log);
        using var first = new ServerClient(new Uri(server.Url), "first");
        using var second = new ServerClient(new Uri(server.Url), "second");
        string exported = Path.Combine(_directory, "export.ndjson.gz");
        await first.CreateDatabaseAsync();
        await second.CreateDatabaseAsync();

        var identity = new IdentityOptions { CollectionProperty = "Collection" };
        int imported = await ImportVerb.RunAsync(first, Open(file), identity, said);
        int compared = await new CompareVerb(first, said).RunAsync(Open(file), identity);
        int written = await ExportVerb.RunAsync(first, exported, new ExportOptions(), said);
        int again = await ImportVerb.RunAsync(second, Open(exported), new IdentityOptions(), said);
        int equal = await new CompareVerb(second, said).RunAsync(Open(exported), new IdentityOptions());

        output.WriteLine(log.ToString());
        Assert.Equal([0, 0, 0, 0, 0], [imported, compared, written, again, equal]);
        Assert.Equal(await first.CountDocumentsAsync(), await second.CountDocumentsAsync());
    }

    private static SourceSet Open(string file) => new([file], new SourceOptions { RepairControlCharacters = true });

    private static IEnumerable<string> FilesOf(string directory) => Directory.EnumerateFiles(directory)
        .Where(path => path.EndsWith(".ndjson.gz", StringComparison.Ordinal)
            || path.EndsWith(".ravendbdump", StringComparison.Ordinal))
        .Order(StringComparer.Ordinal);

    private static string RepositoryRoot()
    {
        DirectoryInfo? directory = new(AppContext.BaseDirectory);
        while (directory is not null && !File.Exists(Path.Combine(directory.FullName, "Raven.sln")))
        {
            directory = directory.Parent;
        }

        return directory?.FullName ?? throw new InvalidOperationException("the tests do not run inside the repository");
    }
}
