using System.IO.Compression;
using System.Text;
using FastTests.Server;

namespace FastTests.Security;

/// <summary>What an operator sends to those who help him: who gets it, and that no secret and no document is in it.
/// </summary>
[Trait("Row", "93")]
public sealed class SupportReportsTests : IDisposable
{
    private const string Canary = "canary-7f3a9c";

    /// <summary>Who gets each report, and with which status; for all others it is a 403.</summary>
    private static readonly (string Method, string Path, string Callers, int Status)[] Reports =
    [
        ("GET", "/admin/debug/info-package", "OC", 200),
        ("GET", "/databases/red/debug/info-package", "AOC", 200),
        ("GET", "/databases/blue/debug/info-package", "OC", 200),
        ("GET", "/admin/debug/memory/stats", "OC", 200),
        ("GET", "/admin/debug/cpu/stats", "OC", 200),
        ("GET", "/admin/debug/threads/runaway", "OC", 200),
        ("GET", "/admin/debug/databases/idle", "OC", 200),
        ("GET", "/admin/logs/download", "OC", 200),
        ("GET", "/admin/logs/watch", "OC", 426),
        ("GET", "/admin/traffic-watch", "OC", 426),
        ("GET", "/admin/debug/threads/stack-trace", "OC", 501),
        ("GET", "/admin/debug/proc/environ", "OC", 501),
        ("POST", "/admin/memory/gc", "OC", 501),
        ("GET", "/admin/debug/dump", "C", 501),
        ("GET", "/admin/debug/gcdump", "C", 501),
    ];

    private readonly SecuredServer _secured = new();

    public void Dispose() => _secured.Dispose();

    [Fact]
    public void Each_report_is_for_those_who_may_have_it_and_dumps_are_for_nobody()
    {
        List<string> wrong = [];
        foreach ((string method, string path, string callers, int status) in Reports)
        {
            foreach (string caller in new[] { "N", "U", "E", "R", "W", "A", "K", "M", "O", "C" })
            {
                int expected = callers.Contains(caller, StringComparison.Ordinal) ? status : 403;
                int actual = _secured.Send(caller, method, path).StatusCode;
                if (actual != expected)
                {
                    wrong.Add($"{caller} {method} {path}: {actual} and not {expected}");
                }
            }
        }

        Assert.True(wrong.Count == 0, string.Join('\n', wrong));
    }

    [Fact]
    public void No_secret_no_document_and_no_parameter_is_in_them()
    {
        Expect(201, "W", "PUT", $"/databases/red/docs?id={Canary}", $$"""{"A":"{{Canary}}"}""");
        Expect(200, "R", "POST", "/databases/red/queries",
            $$"""{"Query":"from @all_docs where id() = $p","QueryParameters":{"p":"{{Canary}}"} }""");
        Expect(200, "O", "POST", "/databases/red/admin/periodic-backup",
            $$"""
            {"Name":"s3","FullBackupFrequency":"0 1 * * *",
             "S3Settings":{"BucketName":"backups","AwsRegionName":"eu-central-1","AwsAccessKey":"a",
               "AwsSecretKey":"{{Canary}}","AwsSessionToken":"{{Canary}}"} }
            """);
        Expect(404, "R", "GET", $"/databases/red/docs?id=none&{Canary}=1", "");
        int texts = 0;
        foreach ((string method, string path, _, int status) in Reports.Where(one => one.Status == 200))
        {
            InMemoryRequest answer = _secured.Send("C", method, path);
            Assert.Equal(status, answer.StatusCode);
            foreach ((string name, byte[] bytes) in PartsOf(answer.AnswerBytes))
            {
                texts++;
                Assert.True(
                    bytes.AsSpan().IndexOf(Encoding.UTF8.GetBytes(Canary)) < 0,
                    $"{path} {name}: {Encoding.UTF8.GetString(bytes)}");
            }
        }

        Assert.True(texts > 20, $"only {texts} texts were looked at");
    }

    private void Expect(int status, string caller, string method, string target, string body)
    {
        InMemoryRequest answer = _secured.Send(caller, method, target, body);
        Assert.True(answer.StatusCode == status, $"{target}: {answer.StatusCode} {answer.Answer}");
    }

    /// <summary>The files of an answer that is a zip file, or the answer itself.</summary>
    private static List<(string Name, byte[] Bytes)> PartsOf(byte[] answer)
    {
        if (!answer.AsSpan().StartsWith("PK"u8))
        {
            return [("answer", answer)];
        }

        List<(string, byte[])> parts = [];
        using var zip = new ZipArchive(new MemoryStream(answer));
        foreach (ZipArchiveEntry entry in zip.Entries)
        {
            using Stream source = entry.Open();
            using var bytes = new MemoryStream();
            source.CopyTo(bytes);
            parts.Add((entry.FullName, bytes.ToArray()));
        }

        return parts;
    }
}
