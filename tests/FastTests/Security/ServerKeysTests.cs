using System.Security.Cryptography;
using System.Text;
using Raven.Security.Secrets;
using Raven.Server;
using Raven.Server.Http;

namespace FastTests.Security;

/// <summary>The master key of a server over its starts and rotations.</summary>
[Trait("Security", "65")]
public sealed class ServerKeysTests : IDisposable
{
    private readonly KeyedServer _server = new();

    public void Dispose() => _server.Dispose();

    [Fact]
    public void A_key_is_made_for_the_first_secret_and_not_before()
    {
        using (ServerState server = _server.Open())
        {
            server.Databases.TryCreate("plain", """{"Settings":{"Indexing.A":"b"}}"""u8, out _);
        }

        Assert.False(File.Exists(_server.Key));
        _server.Plant();
        Assert.True(File.Exists(_server.Key));
        if (!OperatingSystem.IsWindows())
        {
            Assert.Equal(UnixFileMode.UserRead | UnixFileMode.UserWrite, File.GetUnixFileMode(_server.Key));
        }

        _server.AssertOpens();
    }

    [Theory]
    [Trait("Invariant", "KEYS-1")]
    [InlineData(true)]
    [InlineData(false)]
    public void Without_the_right_key_a_server_starts_and_neither_opens_nor_seals(bool isOther)
    {
        _server.Plant();
        byte[] key = File.ReadAllBytes(_server.Key);
        byte[] other = RandomNumberGenerator.GetBytes(MasterKey.SizeBytes);
        if (isOther)
        {
            File.WriteAllBytes(_server.Key, other);
        }
        else
        {
            File.Delete(_server.Key);
        }

        using (ServerState server = _server.Open())
        {
            Assert.Contains(_server.Log.Lines, line =>
                line.Contains(isOther ? "is another one" : "is missing", StringComparison.Ordinal));
            Assert.Throws<MasterKeyException>(() => Put(server, """{"SqlConnectionStrings":{"s":{"Password":"p"}}}"""));

            // What needs no key goes on.
            Assert.True(server.Databases.TrySetDisabled("red", true));
            Assert.True(Put(server, RecordCanaries.Masked));
            Assert.True(Put(server, RecordCanaries.Masked));
        }

        Assert.Equal(isOther, File.Exists(_server.Key));
        if (isOther)
        {
            Assert.Equal(other, File.ReadAllBytes(_server.Key));
            File.WriteAllBytes(_server.Key, key);
        }
        else
        {
            File.WriteAllBytes(_server.Key, key);
            Protect();
        }

        _server.AssertOpens();
    }

    [Fact]
    public void A_key_that_others_can_read_ends_the_start()
    {
        if (OperatingSystem.IsWindows())
        {
            return;
        }

        _server.Plant();
        File.SetUnixFileMode(_server.Key, UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.GroupRead);
        Assert.Contains("chmod 600", Refused(), StringComparison.Ordinal);
        File.Move(_server.Key, _server.Key + ".moved");
        File.CreateSymbolicLink(_server.Key, _server.Key + ".moved");
        Assert.Contains("is a link", Refused(), StringComparison.Ordinal);
    }

    [Fact]
    [Trait("Invariant", "MASTER-1")]
    public void A_key_within_the_data_ends_the_start()
    {
        string data = _server.Options.DataDirectory;
        _server.Options = _server.Options with
        {
            Security = _server.Options.Security with { MasterKeyPath = Path.Combine(data, "key") },
        };
        Assert.Contains("Security.MasterKey.Path", Refused(), StringComparison.Ordinal);
        _server.Options = _server.Options with
        {
            Security = _server.Options.Security with { MasterKeyPath = null, KeysFolder = Path.Combine(data, "k") },
        };
        Assert.Contains("Security.KeysFolder", Refused(), StringComparison.Ordinal);
    }

    [Fact]
    public void A_key_that_the_options_name_must_be_there()
    {
        string path = Path.Combine(_server.Options.Security.KeysFolder, "named");
        _server.Options = _server.Options with
        {
            Security = _server.Options.Security with { MasterKeyPath = path },
        };
        Assert.Contains("There is no master key", Refused(), StringComparison.Ordinal);
    }

    [Fact]
    [Trait("Invariant", "KEYS-2")]
    public void A_rotation_that_is_cut_off_anywhere_loses_nothing()
    {
        _server.Plant();
        byte[] first = File.ReadAllBytes(_server.Key);

        // Behind the new key: it has sealed nothing.
        File.WriteAllBytes(_server.Key + ".new", RandomNumberGenerator.GetBytes(MasterKey.SizeBytes));
        Protect(".new");
        _server.AssertOpens();
        byte[] second = File.ReadAllBytes(_server.Key);
        Assert.NotEqual(first, second);
        Assert.Equal(first, File.ReadAllBytes(_server.Key + ".old"));

        // Behind the transaction: everything is sealed under the new key, and the old one is in its place.
        File.Move(_server.Key, _server.Key + ".new");
        File.Move(_server.Key + ".old", _server.Key);
        _server.AssertOpens();

        // Between the two moves.
        File.Move(_server.Key, _server.Key + ".new");
        _server.AssertOpens();
        Assert.False(File.Exists(_server.Key + ".new"));
    }

    [Fact]
    [Trait("Invariant", "KEYS-2")]
    public void A_rotation_whose_new_key_cannot_be_written_changes_nothing()
    {
        _server.Plant();
        byte[] key = File.ReadAllBytes(_server.Key);
        using (ServerState server = _server.Open())
        {
            Directory.CreateDirectory(_server.Key + ".new");
            Assert.Throws<MasterKeyException>(server.Security.Secrets.Rotate);
            Directory.Delete(_server.Key + ".new");
            Assert.True(Put(server, RecordCanaries.Masked));
        }

        Assert.Equal(key, File.ReadAllBytes(_server.Key));
        _server.AssertOpens();
    }

    [Fact]
    public void A_server_that_does_not_run_has_its_key_rotated_and_its_audit_log_checked()
    {
        using var server = new KeyedServer(keepsAudit: true);
        Assert.Contains("never kept", Assert.Single(
            OfflineServer.VerifyAudit(server.Options, TimeProvider.System)), StringComparison.Ordinal);
        server.Plant();
        byte[] key = File.ReadAllBytes(server.Key);
        OfflineServer.RotateMasterKey(server.Options, TimeProvider.System);
        Assert.NotEqual(key, File.ReadAllBytes(server.Key));
        OfflineServer.RotateMasterKey(server.Options, TimeProvider.System);
        string log = server.Options.Security.AuditFolder!;
        string[] lines = AuditedServer.LinesOf(log);
        Assert.Equal(2, lines.Length);
        Assert.All(lines, line => Assert.Contains("server.keys.rotated", line, StringComparison.Ordinal));
        Assert.Empty(OfflineServer.VerifyAudit(server.Options, TimeProvider.System));

        string path = Path.Combine(log, "audit.jsonl");
        string changed = lines[0].Replace("rotated", "rotared", StringComparison.Ordinal);
        File.WriteAllText(path, $"{changed}\n{lines[1]}\n");
        Assert.Contains(
            "line 2: the line before it (number 1) was changed", OfflineServer.VerifyAudit(
                server.Options, TimeProvider.System)[0], StringComparison.Ordinal);
        File.WriteAllText(path, lines[0] + "\n");
        Assert.Contains("its end is missing", Assert.Single(
            OfflineServer.VerifyAudit(server.Options, TimeProvider.System)), StringComparison.Ordinal);
    }

    [Fact]
    [Trait("Security", "17")]
    public void A_program_may_print_the_key()
    {
        if (OperatingSystem.IsWindows())
        {
            return;
        }

        string key = Convert.ToBase64String(RandomNumberGenerator.GetBytes(MasterKey.SizeBytes));
        UseProgram("/bin/echo", key);
        _server.Plant();
        Assert.False(Directory.Exists(_server.Options.Security.KeysFolder));
        using (ServerState server = _server.Open())
        {
            Assert.True(Put(server, """{"SqlConnectionStrings":{"s":{"Password":"p"}}}"""));
            Assert.Contains("cannot be replaced from here", Assert.Throws<MasterKeyException>(
                server.Security.Secrets.Rotate).Message, StringComparison.Ordinal);
        }

        UseProgram("/bin/echo", "short");
        Assert.Contains("32 bytes", Refused(), StringComparison.Ordinal);
        UseProgram("/bin/false");
        Assert.Contains("ended with code 1", Refused(), StringComparison.Ordinal);
        UseProgram("/bin/echo", Convert.ToBase64String(RandomNumberGenerator.GetBytes(MasterKey.SizeBytes)));
        using (ServerState server = _server.Open())
        {
            Assert.Contains("is another one", server.Security.Secrets.Fault, StringComparison.Ordinal);
        }
    }

    private void UseProgram(string path, params string[] arguments) => _server.Options = _server.Options with
    {
        Security = _server.Options.Security with
        {
            MasterKeyProgram = path,
            MasterKeyProgramArguments = arguments,
        },
    };

    private static bool Put(ServerState server, string record) =>
        server.Databases.TryUpdateRecord("red", null, Encoding.UTF8.GetBytes(record), out _);

    private string Refused() => Assert.Throws<ServerStartException>(() => _server.Open().Dispose()).Message;

    private void Protect(string suffix = "")
    {
        if (!OperatingSystem.IsWindows())
        {
            File.SetUnixFileMode(_server.Key + suffix, UnixFileMode.UserRead | UnixFileMode.UserWrite);
        }
    }
}
