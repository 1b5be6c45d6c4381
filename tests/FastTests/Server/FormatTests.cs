using System.IO.Hashing;
using System.Net;
using System.Text.Json.Nodes;
using Raven.Server.Options;

namespace FastTests.Server;

/// <summary>A folder of data whose format is a newer one is refused by name and version, nothing in it changes, and it
/// is whole again for the program that wrote it.</summary>
[Trait("Row", "100")]
public sealed class FormatTests : IDisposable
{
    private const int HeaderBytes = 512;
    private const int VersionOffset = 16;
    private const int SlotBytes = 8192;
    private const string Sealed = "c2VhbGVkIGtleSBvZiB0aGlydHktdHdvIGJ5dGVzISE=";

    private readonly string _folder = Directory.CreateTempSubdirectory("raven-format-").FullName;

    private string Data => Path.Combine(_folder, "data");

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public async Task A_newer_format_is_refused_by_name_and_changes_nothing()
    {
        using (var server = new TestServer(Configure))
        {
            foreach (string name in new[] { "db", "other" })
            {
                (await server.SendAsync(
                    "PUT", $"/admin/databases?name={name}", $$"""{"DatabaseName":"{{name}}"}"""))
                    .Expect(HttpStatusCode.Created);
                (await server.SendAsync("PUT", $"/databases/{name}/docs?id=a", "{}")).Expect(HttpStatusCode.Created);
            }

            (await server.SendAsync("POST", "/databases/db/admin/periodic-backup", $$"""
                {"Name":"nightly","FullBackupFrequency":"0 1 * * 0",
                 "LocalSettings":{"FolderPath":"{{Path.Combine(_folder, "backups")}}"},
                 "BackupEncryptionSettings":{"EncryptionMode":"UseProvidedKey","Key":"{{Sealed}}"} }
                """)).Expect(HttpStatusCode.OK);
        }

        // One database: the server serves the others.
        byte[] whole = Age(Path.Combine(Data, "db", "data.voron"));
        Dictionary<string, string> before = Hashes();
        using (var server = new TestServer(Configure))
        {
            HttpAnswer refused = await server.SendAsync("GET", "/databases/db/docs?id=a");
            Assert.True(refused.Status >= 500, refused.Text);
            Assert.Contains("data.voron", refused.Text, StringComparison.Ordinal);
            Assert.Contains("version 4", refused.Text, StringComparison.Ordinal);
            (await server.SendAsync("GET", "/databases/other/docs?id=a")).Expect(HttpStatusCode.OK);
        }

        Assert.Equal(
            before.Where(static one => one.Key.StartsWith("db/", StringComparison.Ordinal)),
            Hashes().Where(static one => one.Key.StartsWith("db/", StringComparison.Ordinal)));
        await File.WriteAllBytesAsync(Path.Combine(Data, "db", "data.voron"), whole);

        // The catalog: the server does not start.
        string catalog = Path.Combine(Data, "System~", "data.voron");
        whole = Age(catalog);
        before = Hashes();
        Exception error = Assert.ThrowsAny<Exception>(() => new TestServer(Configure));
        Assert.Contains("data.voron", error.GetBaseException().Message, StringComparison.Ordinal);
        Assert.Contains("version 4", error.GetBaseException().Message, StringComparison.Ordinal);
        Assert.Equal(before, Hashes());
        await File.WriteAllBytesAsync(catalog, whole);

        // It is as it was for the program that knows it: the sealed secret opens, too.
        using var again = new TestServer(Configure);
        (await again.SendAsync("GET", "/databases/db/docs?id=a")).Expect(HttpStatusCode.OK);
        Assert.Equal(Sealed, Assert.Single(again.Host.State.Backups.Tasks.Of("db")).Key);
        JsonNode shown = (await again.SendAsync("GET", "/periodic-backup?name=db&taskId=1")).Json;
        Assert.Equal("*****", (string?)shown["BackupEncryptionSettings"]!["Key"]);
    }

    /// <summary>Gives both headers of a file the next version, and the file as it was.</summary>
    private static byte[] Age(string path)
    {
        byte[] whole = File.ReadAllBytes(path);
        byte[] bytes = [.. whole];
        for (int slot = 0; slot < 2; slot++)
        {
            Span<byte> header = bytes.AsSpan(slot * SlotBytes, HeaderBytes);
            BitConverter.TryWriteBytes(header[VersionOffset..], 4);
            BitConverter.TryWriteBytes(header, XxHash3.HashToUInt64(header[sizeof(ulong)..]));
        }

        File.WriteAllBytes(path, bytes);
        return whole;
    }

    private Dictionary<string, string> Hashes() => Directory.GetFiles(Data, "*", SearchOption.AllDirectories)
        .Where(static path => !path.EndsWith(".jsonl", StringComparison.Ordinal)
            && !path.EndsWith(".sock", StringComparison.Ordinal))
        .ToDictionary(
            path => Path.GetRelativePath(Data, path),
            path => Convert.ToHexString(XxHash3.Hash(File.ReadAllBytes(path))));

    private ServerOptions Configure(ServerOptions options) => options with
    {
        RunInMemory = false,
        DataDirectory = Data,
        Security = options.Security with { KeysFolder = Path.Combine(_folder, "keys") },
    };
}
