using System.IO.Compression;
using System.Text;
using System.Text.RegularExpressions;
using Microsoft.AspNetCore.Http;
using Raven.Server.Http.Studio;

namespace FastTests.Server.Studio;

/// <summary>The Studio's page and files: what a browser may do with them, and how long it may keep them.</summary>
public sealed partial class StudioFilesTests
{
    private const string Index =
        """
        <!doctype html><meta name="csp-nonce" content="{{nonce}}"><meta name="version" content="{{version}}">
        <link rel="stylesheet" href="./main.css"><script type="module" src="./app/main.js"></script>
        """;

    private const string Source = "127.0.0.1:8080/studio/a/";

    private static readonly string Script = string.Concat(Enumerable.Repeat("export const a = 1;\n", 500));

    [Theory]
    [InlineData("/studio/")]
    [InlineData("/studio/db/shop/docs/Orders")]
    [InlineData("/studio/databases-of-mine")]
    public void Each_place_is_the_page_with_a_nonce_of_its_own_and_a_strict_policy(string path)
    {
        using InMemoryServer server = Serving();
        (InMemoryRequest first, InMemoryRequest second) = (Get(server, path), Get(server, path));
        Assert.Equal((200, "text/html; charset=utf-8"), (first.StatusCode, Header(first, "Content-Type")));
        Assert.Equal("no-cache", Header(first, "Cache-Control"));
        string policy = Header(first, "Content-Security-Policy");
        string nonce = Nonce().Match(policy).Groups[1].Value;
        Assert.Equal(22, nonce.Length);
        Assert.NotEqual(nonce, Nonce().Match(Header(second, "Content-Security-Policy")).Groups[1].Value);
        Assert.Equal(
            $"default-src 'none'; script-src {Source}; style-src {Source} 'nonce-{nonce}'; img-src 'self' blob: data:; "
            + $"font-src {Source}; connect-src 'self'; worker-src {Source}; base-uri 'none'; form-action 'none'; "
            + "frame-ancestors 'none'", policy);
        Assert.Equal(("nosniff", "no-referrer", "same-origin"), (
            Header(first, "X-Content-Type-Options"), Header(first, "Referrer-Policy"),
            Header(first, "Cross-Origin-Opener-Policy")));
        string hash = Header(first, "Raven-Studio");
        Assert.Equal(hash, server.State.Studio.Hash);
        Assert.Contains($"content=\"{nonce}\"", first.Answer, StringComparison.Ordinal);
        Assert.Contains($"href=\"/studio/a/{hash}/main.css\"", first.Answer, StringComparison.Ordinal);
        Assert.Contains($"src=\"/studio/a/{hash}/app/main.js\"", first.Answer, StringComparison.Ordinal);
        Assert.DoesNotContain("{{", first.Answer, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("raven.example.org", null, "raven.example.org/studio/a/")]
    [InlineData("localhost:8080", null, "localhost:8080/studio/a/")]
    [InlineData("backend:8080", "https://shop.example.org", "backend:8080/studio/a/ shop.example.org/studio/a/")]
    [InlineData("Shop.example.org", "https://shop.example.org", "Shop.example.org/studio/a/")]
    [InlineData("10.0.0.1:8080", null, "'self'")]
    [InlineData("[::1]:8080", null, "'self'")]
    [InlineData("my_raven", null, "'self'")]
    [InlineData("backend", "https://10.0.0.1", "'self'")]
    public void Scripts_are_taken_from_the_folder_of_the_files_alone_where_a_policy_can_say_so(
        string host, string? publicUrl, string source)
    {
        using InMemoryServer server = Serving(publicUrl);
        string policy = Header(Get(server, "/studio/", $"Host: {host}"), "Content-Security-Policy");
        Assert.Contains($"; script-src {source}; style-src {source} 'nonce-", policy, StringComparison.Ordinal);
        Assert.Contains($"; worker-src {source}; ", policy, StringComparison.Ordinal);
    }

    [Fact]
    public void A_file_is_kept_for_ever_under_the_hash_of_all_and_compressed_for_whoever_takes_that()
    {
        using InMemoryServer server = Serving();
        string path = $"/studio/a/{server.State.Studio.Hash}/app/main.js";
        InMemoryRequest plain = Get(server, path);
        Assert.Equal((200, Script), (plain.StatusCode, plain.Answer));
        Assert.Equal("public, max-age=31536000, immutable", Header(plain, "Cache-Control"));
        Assert.Equal("text/javascript; charset=utf-8", Header(plain, "Content-Type"));
        Assert.Contains("default-src 'none'", Header(plain, "Content-Security-Policy"), StringComparison.Ordinal);
        Assert.Equal(("", "Accept-Encoding"), (Header(plain, "Content-Encoding"), Header(plain, "Vary")));

        InMemoryRequest packed = Get(server, path, "Accept-Encoding: gzip, deflate, br, zstd");
        Assert.Equal("gzip", Header(packed, "Content-Encoding"));
        Assert.InRange(packed.AnswerBytes.Length, 1, Script.Length / 4);
        using var unpacked = new StreamReader(
            new GZipStream(new MemoryStream(packed.AnswerBytes), CompressionMode.Decompress));
        Assert.Equal(Script, unpacked.ReadToEnd());
        Assert.Equal("", Header(Get(server, path, "Accept-Encoding: gzip;q=0"), "Content-Encoding"));

        InMemoryRequest known = Get(server, path, $"If-None-Match: {Header(plain, "ETag")}");
        Assert.Equal((304, ""), (known.StatusCode, known.Answer));
        Assert.Equal("Accept-Encoding", Header(known, "Vary"));
        Assert.NotEqual(Header(plain, "ETag"), Header(packed, "ETag"));
        known = Get(server, path, $"If-None-Match: {Header(packed, "ETag")}", "Accept-Encoding: gzip");
        Assert.Equal((304, "Accept-Encoding"), (known.StatusCode, Header(known, "Vary")));
        Assert.Equal(200, Get(server, path, $"If-None-Match: {Header(packed, "ETag")}").StatusCode);
        Assert.Equal("image/svg+xml", Header(
            Get(server, $"/studio/a/{server.State.Studio.Hash}/icons.svg"), "Content-Type"));
    }

    [Theory]
    [InlineData("/studio/a/HASH/missing.js", "has no file 'missing.js'")]
    [InlineData("/studio/a/HASH/", "has no file ''")]
    [InlineData("/studio/a/0123456789abcdef/app/main.js", "load the page again")]
    public void Another_file_is_a_404_that_says_why_and_is_not_kept(string path, string says)
    {
        using InMemoryServer server = Serving();
        InMemoryRequest answer = Get(server, path.Replace("HASH", server.State.Studio.Hash, StringComparison.Ordinal));
        Assert.Equal((404, "no-store"), (answer.StatusCode, Header(answer, "Cache-Control")));
        Assert.Equal("text/plain; charset=utf-8", Header(answer, "Content-Type"));
        Assert.Contains(says, answer.Answer, StringComparison.Ordinal);
    }

    [Fact]
    public void A_server_names_the_Studio_if_there_is_one()
    {
        Assert.Equal(
            "http://a:1 (Studio: http://a:1/studio/)",
            StudioFiles.Of(("index.html", [1])).AddressesOf("http://a:1"));
        Assert.Equal("http://a:1", StudioFiles.Of().AddressesOf("http://a:1"));
    }

    [Fact]
    public void Other_files_have_another_hash()
    {
        StudioFiles one = StudioFiles.Of(("index.html", [1]), ("a.js", [2]));
        Assert.Equal(one.Hash, StudioFiles.Of(("a.js", [2]), ("index.html", [1])).Hash);
        Assert.Equal(
            4,
            new[]
            {
                one.Hash, StudioFiles.Of(("index.html", [1]), ("a.js", [3])).Hash,
                StudioFiles.Of(("index.html", [1]), ("b.js", [2])).Hash,
                StudioFiles.Of(("index.html", [1, 2]), ("a.js", [])).Hash,
            }.Distinct().Count());
    }

    [Theory]
    [InlineData("/")]
    [InlineData("/studio")]
    public void The_root_leads_to_the_Studio(string path)
    {
        using InMemoryServer server = Serving();
        InMemoryRequest answer = Get(server, path);
        Assert.Equal((302, "/studio/"), (answer.StatusCode, Header(answer, "Location")));
        Assert.Equal(405, server.Send(new InMemoryRequest("POST", path)));
    }

    [Theory]
    [InlineData("/")]
    [InlineData("/studio")]
    [InlineData("/studio/")]
    [InlineData("/studio/db/x")]
    [InlineData("/studio/a/0123/main.js")]
    public void A_build_without_a_Studio_says_so(string path)
    {
        using var server = new InMemoryServer();
        server.State.Studio = StudioFiles.Of();
        InMemoryRequest answer = Get(server, path);
        Assert.Equal((404, "text/plain; charset=utf-8"), (answer.StatusCode, Header(answer, "Content-Type")));
        Assert.StartsWith("There is no Studio in this build", answer.Answer, StringComparison.Ordinal);
    }

    [Fact]
    public void What_the_build_has_embedded_is_a_whole_Studio_or_none()
    {
        StudioFiles embedded = StudioFiles.Embedded;
        Assert.Matches("^[0-9a-f]{16}$", embedded.Hash);
        if (!embedded.IsEmpty)
        {
            string page = Encoding.UTF8.GetString(embedded.Find(StudioFiles.IndexName)!.Bytes);
            MatchCollection named = Named().Matches(page);
            Assert.NotEmpty(named);
            Assert.All(named, file => Assert.NotNull(embedded.Find(file.Groups[1].Value)));
        }
    }

    [Fact]
    public void A_folder_is_read_anew_each_time_and_nothing_outside_of_it()
    {
        string folder = Directory.CreateTempSubdirectory("studio").FullName;
        try
        {
            string dist = Path.Combine(folder, "dist");
            Directory.CreateDirectory(Path.Combine(dist, "app"));
            File.WriteAllText(Path.Combine(folder, "secret.js"), "secret");
            File.WriteAllText(Path.Combine(dist, ".hidden.js"), "secret");
            using var server = new InMemoryServer(configure: options => options with { StudioFolder = dist });
            Assert.Equal(404, Get(server, "/studio/").StatusCode);
            File.WriteAllText(Path.Combine(dist, "index.html"), Index);
            string file = Path.Combine(dist, "app", "main.js");
            File.WriteAllText(file, "one");
            Assert.Equal(200, Get(server, "/studio/").StatusCode);
            string assets = $"/studio/a/{server.State.Studio.Hash}/";
            InMemoryRequest first = Get(server, assets + "app/main.js");
            Assert.Equal(("one", "no-cache"), (first.Answer, Header(first, "Cache-Control")));
            File.WriteAllText(file, "two");
            Assert.Equal("two", Get(server, assets + "app/main.js").Answer);
            foreach (string path in new[]
            {
                "../secret.js", "app/../../secret.js", "..%2fsecret.js", "/secret.js", ".hidden.js", "app", "app/",
                "app\\..\\..\\secret.js", $"{folder}/secret.js",
            })
            {
                InMemoryRequest answer = Get(server, assets + path);
                Assert.True(answer.StatusCode is 400 or 404, $"{path}: {answer.StatusCode}");
                Assert.DoesNotContain("secret\n", answer.Answer + "\n", StringComparison.Ordinal);
            }
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    private static InMemoryServer Serving(string? publicUrl = null)
    {
        var server = new InMemoryServer(configure: options => options with
        {
            PublicServerUrl = publicUrl is null ? null : new Uri(publicUrl),
            AllowedHosts = ["raven.example.org", "shop.example.org", "backend", "10.0.0.1", "my_raven"],
        });
        server.State.Studio = StudioFiles.Of(
            ("index.html", Encoding.UTF8.GetBytes(Index)), ("app/main.js", Encoding.UTF8.GetBytes(Script)),
            ("main.css", "a{}"u8.ToArray()), ("icons.svg", "<svg/>"u8.ToArray()));
        return server;
    }

    private static InMemoryRequest Get(InMemoryServer server, string path, params string[] headers)
    {
        var request = new InMemoryRequest("GET", path);
        foreach (string header in headers)
        {
            string[] parts = header.Split(": ", 2);
            request.Request[parts[0]] = parts[1];
        }

        server.Send(request);
        return request;
    }

    private static string Header(InMemoryRequest answer, string name) =>
        ((IHeaderDictionary)answer.Response)[name].ToString();

    [GeneratedRegex("'nonce-([A-Za-z0-9_-]+)'")]
    private static partial Regex Nonce();

    [GeneratedRegex("\"\\./([^\"]+)\"")]
    private static partial Regex Named();
}
