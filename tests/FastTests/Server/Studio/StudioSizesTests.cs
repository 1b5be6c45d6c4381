using System.Text.Json.Nodes;
using FastTests.Documents;
using Raven.Documents.Catalog;
using Raven.Server.Http.Studio;

namespace FastTests.Server.Studio;

/// <summary>The sizes in the Studio's list of databases.</summary>
public sealed class StudioSizesTests
{
    [Fact]
    public void The_files_of_a_database_are_looked_at_once_in_a_while_whoever_asks()
    {
        var clock = new TestClock();
        using var server = new InMemoryServer(clock);
        Assert.Equal(201, server.Send(new InMemoryRequest("PUT", "/databases/db/docs", "?id=a/1", "{}")));
        long size = SizeIn(server);
        string folder = Assert.Single(
            Directory.GetDirectories(server.State.DataFolder),
            path => Path.GetFileName(path) != DatabaseCatalog.CatalogFolder);
        File.WriteAllBytes(Path.Combine(folder, "more"), new byte[12_345]);
        Assert.Equal(size, SizeIn(server));
        clock.Now += DatabaseSizes.KeptFor - TimeSpan.FromTicks(1);
        Assert.Equal(size, SizeIn(server));
        clock.Now += TimeSpan.FromTicks(1);
        Assert.Equal(size + 12_345, SizeIn(server));
    }

    private static long SizeIn(InMemoryServer server)
    {
        var request = new InMemoryRequest("GET", "/studio/databases");
        Assert.Equal(200, server.Send(request));
        return (long)Assert.Single(JsonNode.Parse(request.Answer)!["Databases"]!.AsArray())!["SizeBytes"]!;
    }
}
