using System.IO.Compression;
using System.Net;
using System.Security.Cryptography;
using System.Text;
using FastTests.Server;
using Raven.Documents.Backups;

namespace SlowTests.Backups;

/// <summary>A hundred thousand dumps and manifests that are not as they were written.</summary>
[Trait("Row", "73")]
[Trait(Category.Shard, "backups-mutated")]
public sealed class MutatedBackupTests(ITestOutputHelper output)
{
    private const int Seed = 20261127;
    private const int Manifests = 50_000;
    private const int Dumps = 50_000;
    private const long HeldBytesMax = 64 << 20;

    [Fact]
    [Trait(Category.Run, Category.Ci)]
    public void A_manifest_is_whole_or_refused_by_the_name_of_its_file()
    {
        BackupManifest manifest = new()
        {
            File = "f.ravendb-full-backup", Kind = BackupKind.Full, Database = "db", DatabaseId = "AAAA", TaskId = 1,
            CreatedAt = DateTimeOffset.UnixEpoch, Parent = null, BaseTransactionId = 0, TransactionId = 9,
            EnvironmentId = 77, Opening = 1, LastEtag = 5, Documents = 4, Compression = BackupCompression.Zstd,
            KeyCheck = null, LengthBytes = 100, Sha256 = new string('a', 64), Record = """{"DatabaseName":"db"}""",
            Secrets = [],
        };
        byte[] whole = manifest.ToBytes();
        string body = Encoding.UTF8.GetString(whole);
        body = body["{\"Manifest\":".Length..body.LastIndexOf(",\"Sha256\":\"", StringComparison.Ordinal)];
        var random = new Random(Seed);
        int taken = 0;
        for (int i = 0; i < Manifests; i++)
        {
            // One half with the hash of what it was, one with that of what it is.
            byte[] changed = Mutate(i % 2 == 0 ? whole : Encoding.UTF8.GetBytes(body), random);
            if (i % 2 != 0)
            {
                string hash = Convert.ToHexStringLower(SHA256.HashData(changed));
                changed = [.. "{\"Manifest\":"u8, .. changed, .. Encoding.UTF8.GetBytes($",\"Sha256\":\"{hash}\"}}")];
            }

            try
            {
                BackupManifest read = BackupManifest.Parse(manifest.File + BackupManifest.Suffix, changed);
                Assert.Equal(manifest.File, read.File);
                taken++;
            }
            catch (BackupException e)
            {
                Assert.Contains(manifest.File, e.Message, StringComparison.Ordinal);
            }
            catch (Exception e) when (e is not Xunit.Sdk.XunitException)
            {
                Assert.Fail($"seed {Seed}, {i}: {e} for {Encoding.UTF8.GetString(changed)}");
            }
        }

        output.WriteLine($"{taken} of {Manifests} were taken.");
        Assert.InRange(taken, 1, Manifests / 2);
    }

    [Fact]
    public async Task A_dump_is_imported_or_refused_and_memory_stays_bounded()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        for (int i = 0; i < 5; i++)
        {
            await server.PutAsync($"users/{i}", $$"""{"N":{{i}},"@metadata":{"@collection":"Users"} }""");
        }

        using var attached = new ByteArrayContent("some text"u8.ToArray());
        (await server.SendAsync("PUT", "~/attachments?id=users/1&name=a.txt", attached)).Expect(HttpStatusCode.Created);
        byte[] gzip = (await server.SendAsync("POST", "~/smuggler/export", "{}")).Expect(HttpStatusCode.OK).Bytes;
        using var inflated = new MemoryStream();
        using (var source = new GZipStream(new MemoryStream(gzip), CompressionMode.Decompress))
        {
            await source.CopyToAsync(inflated);
        }

        byte[] plain = inflated.ToArray();
        var random = new Random(Seed);
        long before = GC.GetTotalMemory(forceFullCollection: true);
        var statuses = new SortedDictionary<int, int>();
        for (int i = 0; i < Dumps; i++)
        {
            byte[] dump = Mutate(random.Next(4) == 0 ? gzip : plain, random);
            HttpAnswer answer = await server.SendAsync("POST", "~/smuggler/import", new ByteArrayContent(dump));
            Assert.True(answer.Status is 200 or (>= 400 and < 500), $"seed {Seed}, {i}: {answer.Status} {answer.Text}");
            statuses[answer.Status] = statuses.GetValueOrDefault(answer.Status) + 1;
        }

        long held = GC.GetTotalMemory(forceFullCollection: true) - before;
        output.WriteLine($"{string.Join(", ", statuses)}; {held:N0} bytes are held.");
        Assert.True(held < HeldBytesMax, $"{held:N0} bytes are held.");
        await server.AssertServesAsync();
    }

    private static byte[] Mutate(byte[] bytes, Random random)
    {
        for (int change = random.Next(1, 4); change > 0 && bytes.Length > 0; change--)
        {
            int at = random.Next(bytes.Length);
            int end = Math.Min(bytes.Length, at + random.Next(1, 40));
            bytes = random.Next(5) switch
            {
                0 => [.. bytes[..at], .. bytes[end..]],
                1 => [.. bytes[..at], .. bytes[at..end], .. bytes[at..]],
                2 => [.. bytes[..at], (byte)('0' + random.Next(10)), .. bytes[at..]],
                3 => [.. bytes[..at], (byte)(bytes[at] ^ (1 << random.Next(8))), .. bytes[(at + 1)..]],
                _ => [.. bytes[..at], (byte)random.Next(256), .. bytes[(at + 1)..]],
            };
        }

        return bytes;
    }
}
