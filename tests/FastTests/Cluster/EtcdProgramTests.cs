using Raven.Cluster.Etcd;
using Raven.Cluster.Store;

namespace FastTests.Cluster;

/// <summary>Where etcd comes from, and how it is started.</summary>
public sealed class EtcdProgramTests : IDisposable
{
    private readonly string _root = Directory.CreateTempSubdirectory("raven-etcd-").FullName;

    public void Dispose() => Directory.Delete(_root, recursive: true);

    [Fact]
    public void The_mirror_is_that_of_the_machine_and_only_the_suite_is_another()
    {
        Write(
            "etc/apt/sources.list",
            "# deb http://commented/debian bookworm main\ndeb-src http://src/debian bookworm main\n");
        Write("etc/apt/sources.list.d/a.list", "deb [arch=amd64] http://other/apt stable main\n");
        Write("etc/apt/sources.list.d/b.sources", """
            Types: deb
            # a comment
            URIs: http://security/debian-security
            Suites: bookworm-security
            Components: main

            Types: deb
            URIs: http://off/debian
            Suites: bookworm
            Components: main
            Enabled: no

            Types: deb deb-src
            URIs: http://mirror/debian http://second/debian
            Suites: bookworm bookworm-updates
            Components: main contrib
            Signed-By:
             -----BEGIN PGP PUBLIC KEY BLOCK-----
             .
             abc
             -----END PGP PUBLIC KEY BLOCK-----
            """);
        AptSources? found = AptSources.Find(Path.Combine(_root, "etc/apt"), "bookworm");
        Assert.Equal("http://mirror/debian", found!.Uri);
        Assert.Equal(
            """
            Types: deb
            URIs: http://mirror/debian
            Suites: trixie
            Components: main
            Signed-By:
             -----BEGIN PGP PUBLIC KEY BLOCK-----
             .
             abc
             -----END PGP PUBLIC KEY BLOCK-----

            """,
            found.SourceOf("trixie"));
        Assert.Null(AptSources.Find(Path.Combine(_root, "etc/apt"), "sid"));
    }

    [Theory]
    [InlineData("deb http://m/debian bookworm main", "http://m/debian", null, false)]
    [InlineData(
        "deb [ signed-by=/k.gpg arch=amd64 ] http://m/debian bookworm contrib main # x", "http://m/debian", "/k.gpg",
        false)]
    [InlineData("deb [trusted=yes] file:/m bookworm main", "file:/m", null, true)]
    [InlineData("deb http://m/debian bookworm-updates main", null, null, false)]
    [InlineData("deb http://m/debian bookworm contrib", null, null, false)]
    [InlineData("deb", null, null, false)]
    public void A_line_of_sources_is_read(string line, string? uri, string? key, bool isTrusted)
    {
        AptSources? found = AptSources.OfLines(line, "bookworm");
        Assert.Equal(uri is null ? null : new AptSources(uri, key, isTrusted), found);
    }

    [Fact]
    public async Task A_machine_that_is_not_Debian_is_told_what_to_do()
    {
        Write("etc/os-release", "ID=fedora\nVERSION_CODENAME=\"\"\n");
        (EtcdProgram? program, string? problem) = await EtcdInstaller.InstallAsync(
            Path.Combine(_root, "to"), _root, _ => { }, CancellationToken.None);
        Assert.Null(program);
        Assert.Contains("not Debian", problem, StringComparison.Ordinal);
        Assert.Contains("3.5.14 or later into PATH", problem, StringComparison.Ordinal);
        Assert.False(Directory.Exists(Path.Combine(_root, "to")));
    }

    [Fact]
    public async Task A_machine_without_a_mirror_is_told_so()
    {
        Write("etc/os-release", "ID=debian\nVERSION_CODENAME=bookworm\n");
        Write("usr/bin/apt-get", "");
        (EtcdProgram? program, string? problem) = await EtcdInstaller.InstallAsync(
            Path.Combine(_root, "to"), _root, _ => { }, CancellationToken.None);
        Assert.Null(program);
        Assert.Contains("no mirror of Debian bookworm", problem, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_missing_etcd_is_told_with_what_to_do()
    {
        (EtcdProgram? program, string? problem) = await EtcdProgram.FindAsync([Path.Combine(_root, "etcd")]);
        Assert.Null(program);
        Assert.Contains("raven cluster install-etcd", problem, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("3.5.16", 3, 5, 16)]
    [InlineData(" v3.10.2-rc.1+git ", 3, 10, 2)]
    public void A_version_is_read(string text, int major, int minor, int patch)
    {
        Assert.True(EtcdVersion.TryParse(text, out EtcdVersion version));
        Assert.Equal(new EtcdVersion(major, minor, patch), version);
    }

    [Theory]
    [InlineData(null)]
    [InlineData("3.5")]
    [InlineData("3.5.x")]
    [InlineData("3.-5.1")]
    public void What_is_no_version_is_not_read(string? text) => Assert.False(EtcdVersion.TryParse(text, out _));

    [Fact]
    public void Without_certificates_it_listens_on_loopback_alone_and_with_them_to_nodes_alone()
    {
        ManagedEtcdOptions plain = Options("http");
        Assert.Null(plain.ProblemOf());
        Assert.DoesNotContain(plain.Arguments(), each => each.Contains("cert", StringComparison.Ordinal));
        Assert.Contains("--auto-compaction-retention=3600s", plain.Arguments());
        Assert.Contains("--quota-backend-bytes=2147483648", plain.Arguments());
        Assert.Contains(
            "loopback", (plain with { ClientUrl = new Uri("http://10.0.0.1:2379") }).ProblemOf(),
            StringComparison.Ordinal);
        Assert.Contains(
            "belong together", (plain with { CertificateFile = "/c" }).ProblemOf(), StringComparison.Ordinal);
        Assert.Contains(
            "must have this one", (plain with { Name = "B" }).ProblemOf(), StringComparison.Ordinal);

        ManagedEtcdOptions secure = Options("https") with
        {
            CertificateFile = "/c",
            KeyFile = "/k",
            TrustedCaFile = "/ca",
        };
        Assert.Null(secure.ProblemOf());
        Assert.Contains(
            "https://", (secure with { ClientUrl = new Uri("http://127.0.0.1:1") }).ProblemOf(),
            StringComparison.Ordinal);
        Assert.Contains("--client-cert-auth=true", secure.Arguments());
        Assert.Contains("--peer-client-cert-auth=true", secure.Arguments());
        Assert.Contains("--peer-trusted-ca-file=/ca", secure.Arguments());
    }

    private ManagedEtcdOptions Options(string scheme) => new()
    {
        Program = "etcd",
        Folder = _root,
        Name = "A",
        ClientUrl = new Uri($"{scheme}://127.0.0.1:2379"),
        PeerUrl = new Uri($"{scheme}://127.0.0.1:2380"),
        Members = new Dictionary<string, Uri> { ["A"] = new($"{scheme}://127.0.0.1:2380") },
        Token = "t",
    };

    private void Write(string path, string text)
    {
        string full = Path.Combine(_root, path);
        Directory.CreateDirectory(Path.GetDirectoryName(full)!);
        File.WriteAllText(full, text);
    }
}
