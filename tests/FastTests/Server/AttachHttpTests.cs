using System.Net;
using FastTests.Support;

namespace FastTests.Server;

/// <summary>Folders that become databases: those of deleted ones, and those that came from elsewhere.</summary>
[Trait("Invariant", "ATTACH-1")]
public sealed class AttachHttpTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("raven-attach-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public async Task A_database_that_was_deleted_without_its_files_is_taken_back()
    {
        using TestServer server = await StartAsync();
        await server.PutAsync("a", "{}");
        (await server.SendAsync("DELETE", "/admin/databases?name=db")).Expect(HttpStatusCode.OK);
        Assert.NotEqual(200, (await server.SendAsync("GET", "~/docs?id=a")).Status);
        Assert.Contains("under that name", await AttachAsync(server, "other", "db", 400), StringComparison.Ordinal);
        await Deadline.UntilAsync(async () =>
            (await server.SendAsync("POST", "/admin/databases/attach", """{"DatabaseName":"DB"}""")).Status == 200);
        (await server.SendAsync("GET", "~/docs?id=a")).Expect(HttpStatusCode.OK);
        await server.AssertServesAsync();
        Assert.Contains("already", await AttachAsync(server, "db", null, 400), StringComparison.Ordinal);
        Assert.Contains("is that of", await AttachAsync(server, "other", "db", 400), StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_folder_from_elsewhere_is_a_database_if_it_holds_one()
    {
        using (TestServer server = await StartAsync())
        {
            await server.PutAsync("a", "{}");
        }

        Copy(Path.Combine(_folder, "db"), Path.Combine(_folder, "moved"));
        Directory.CreateDirectory(Path.Combine(_folder, "empty"));
        Copy(Path.Combine(_folder, "db"), Path.Combine(_folder, "broken"));
        using (FileStream file = File.OpenWrite(Path.Combine(_folder, "broken", "data.voron")))
        {
            file.Write(new byte[32 * 1024]);
        }

        using TestServer again = await StartAsync(creates: false);
        await AttachAsync(again, "shop", "moved", 200);
        (await again.SendAsync("GET", "/databases/shop/docs?id=a")).Expect(HttpStatusCode.OK);
        Assert.Contains("holds no database", await AttachAsync(again, "x", "empty", 400), StringComparison.Ordinal);
        Assert.Empty(Directory.GetFiles(Path.Combine(_folder, "empty")));
        Assert.Contains("cannot be opened", await AttachAsync(again, "x", "broken", 400), StringComparison.Ordinal);
        Assert.Contains("no folder", await AttachAsync(again, "x", "none", 400), StringComparison.Ordinal);
        foreach (string outside in new[] { "../x", "/tmp", "System~", "a/b", "..", "." })
        {
            Assert.Contains("plain name", await AttachAsync(again, "x", outside, 400), StringComparison.Ordinal);
        }

        Assert.Contains("not the name", await AttachAsync(again, "a b", "moved", 400), StringComparison.Ordinal);
        (await again.SendAsync("POST", "/admin/databases/attach", "{}")).Expect(HttpStatusCode.BadRequest);
        Assert.Equal(["db", "shop"], again.Host.State.Databases.Names());
    }

    private static async Task<string> AttachAsync(TestServer server, string name, string? folder, int status)
    {
        string place = folder == null ? "" : $",\"DataDirectory\":\"{folder}\"";
        HttpAnswer answer = await server.SendAsync(
            "POST", "/admin/databases/attach", $"{{\"DatabaseName\":\"{name}\"{place}}}");
        Assert.True(answer.Status == status, $"{answer.Status}: {answer.Text}");
        return answer.Text;
    }

    private async Task<TestServer> StartAsync(bool creates = true)
    {
        Raven.Server.Options.ServerOptions Configure(Raven.Server.Options.ServerOptions options) =>
            options with { RunInMemory = false, DataDirectory = _folder };
        return creates ? await TestServer.WithDatabaseAsync(Configure) : new TestServer(Configure);
    }

    private static void Copy(string from, string to)
    {
        foreach (string file in Directory.EnumerateFiles(from, "*", SearchOption.AllDirectories))
        {
            string target = Path.Combine(to, Path.GetRelativePath(from, file));
            Directory.CreateDirectory(Path.GetDirectoryName(target)!);
            File.Copy(file, target);
        }
    }
}
