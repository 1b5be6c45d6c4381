using System.Security.Cryptography;
using System.Text;
using Raven.Security.Secrets;

namespace FastTests.Security;

/// <summary>The master key and what is sealed under it.</summary>
public sealed class MasterKeyTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("keys").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    [Trait("Security", "65")]
    public void A_key_is_made_once_for_its_owner_alone_and_read_from_then_on()
    {
        string keys = Path.Combine(_folder, "keys");
        string data = Path.Combine(_folder, "data");
        byte[] first = Derived(MasterKeyFile.In(keys, data).ReadOrMake());
        Assert.Equal(first, Derived(MasterKeyFile.In(keys, data).ReadOrMake()));
        string path = Assert.Single(Directory.GetFiles(keys));
        Assert.Equal(MasterKey.SizeBytes, new FileInfo(path).Length);
        if (!OperatingSystem.IsWindows())
        {
            Assert.Equal(UnixFileMode.UserRead | UnixFileMode.UserWrite, File.GetUnixFileMode(path));
        }
    }

    [Theory]
    [Trait("Security", "65")]
    [Trait("Invariant", "MASTER-1")]
    [InlineData("data")]
    [InlineData("data/keys")]
    [InlineData("data/../data/x/../keys")]
    public void A_folder_of_keys_within_that_of_the_data_is_refused(string keys)
    {
        string data = Path.Combine(_folder, "data");
        Assert.Contains("Security.KeysFolder", Assert.Throws<MasterKeyException>(
            () => MasterKeyFile.In(Path.Combine(_folder, keys), data)).Message, StringComparison.Ordinal);
        Assert.Contains("Security.MasterKey.Path", Assert.Throws<MasterKeyException>(
            () => MasterKeyFile.At(Path.Combine(_folder, keys, "x"), data)).Message, StringComparison.Ordinal);
        Assert.False(Directory.Exists(data));
    }

    [Theory]
    [Trait("Security", "65")]
    [InlineData(31)]
    [InlineData(33)]
    [InlineData(0)]
    [InlineData(5000)]
    public void A_file_that_is_no_key_is_refused(int length)
    {
        string path = Write(RandomNumberGenerator.GetBytes(length));
        Assert.Throws<MasterKeyException>(() => MasterKey.Read(path));
    }

    [Fact]
    [Trait("Security", "65")]
    public void Zeros_a_link_and_a_missing_file_are_no_keys()
    {
        Assert.Throws<MasterKeyException>(() => MasterKey.Read(Write(new byte[MasterKey.SizeBytes])));
        Assert.Throws<MasterKeyException>(() => MasterKey.Read(Path.Combine(_folder, "none")));
        string link = Path.Combine(_folder, "link");
        File.CreateSymbolicLink(link, Write(RandomNumberGenerator.GetBytes(MasterKey.SizeBytes)));
        Assert.Contains("link", Assert.Throws<MasterKeyException>(() => MasterKey.Read(link)).Message,
            StringComparison.Ordinal);
    }

    [Theory]
    [Trait("Security", "65")]
    [Trait("Invariant", "MASTER-2")]
    [InlineData(UnixFileMode.GroupRead)]
    [InlineData(UnixFileMode.OtherRead)]
    [InlineData(UnixFileMode.OtherWrite)]
    public void A_file_that_others_can_read_is_refused_and_left_as_it_is(UnixFileMode others)
    {
        if (OperatingSystem.IsWindows())
        {
            return;
        }

        string path = Write(RandomNumberGenerator.GetBytes(MasterKey.SizeBytes));
        UnixFileMode mode = UnixFileMode.UserRead | UnixFileMode.UserWrite | others;
        File.SetUnixFileMode(path, mode);
        Assert.Contains("chmod 600", Assert.Throws<MasterKeyException>(() => MasterKey.Read(path)).Message,
            StringComparison.Ordinal);
        Assert.Equal(mode, File.GetUnixFileMode(path));
    }

    [Fact]
    [Trait("Security", "65")]
    public void A_file_that_the_options_name_must_be_there()
    {
        MasterKeyFile file = MasterKeyFile.At(Path.Combine(_folder, "named"), Path.Combine(_folder, "data"));
        Assert.Contains("There is no master key", Assert.Throws<MasterKeyException>(
            () => file.ReadOrMake()).Message, StringComparison.Ordinal);
        Assert.Empty(Directory.GetFiles(_folder));
    }

    [Fact]
    [Trait("Security", "65")]
    [Trait("Invariant", "KEYFILE-1")]
    public void A_rotation_keeps_the_key_before_and_takes_the_next()
    {
        MasterKeyFile file = MasterKeyFile.In(Path.Combine(_folder, "keys"), Path.Combine(_folder, "data"));
        byte[] first = Derived(file.ReadOrMake());
        byte[] next = Derived(file.MakeNext());
        Assert.NotEqual(first, next);
        Assert.Equal(first, Derived(file.Read()));
        Assert.True(file.HasNext);
        file.TakeNext();
        Assert.False(file.HasNext);
        Assert.Equal(next, Derived(file.Read()));
        Assert.Equal(first, Derived(MasterKey.Read(file.Path + ".old")));
    }

    [Fact]
    public void Base64_of_a_key_is_that_key()
    {
        byte[] key = RandomNumberGenerator.GetBytes(MasterKey.SizeBytes);
        byte[] text = Encoding.ASCII.GetBytes(Convert.ToBase64String(key) + "\n");
        Assert.Equal(Derived(MasterKey.Of(key, "key")), Derived(MasterKey.Of(text, "key")));
    }

    [Fact]
    [Trait("Invariant", "MASTER-3")]
    public void Each_purpose_has_a_key_of_its_own()
    {
        using MasterKey master = MasterKey.Of(RandomNumberGenerator.GetBytes(MasterKey.SizeBytes), "key");
        Assert.NotEqual(master.Derive("a"), master.Derive("b"));
        Assert.Equal(master.Derive("a"), master.Derive("a"));
    }

    [Theory]
    [InlineData("")]
    [InlineData("p\u00e4ssw\u00f6rd \U0001F511")]
    public void A_secret_opens_at_its_place_under_its_key(string secret)
    {
        using SecretSealer sealer = Sealer();
        string first = sealer.Seal(secret, "db/S3/Secret");
        Assert.NotEqual(first, sealer.Seal(secret, "db/S3/Secret"));
        Assert.Equal(secret, sealer.Open(first, "db/S3/Secret"));
        Assert.DoesNotContain("ssw", first, StringComparison.Ordinal);
    }

    [Fact]
    [Trait("Security", "57")]
    [Trait("Invariant", "SEAL-1")]
    [Trait("Invariant", "SEAL-2")]
    public void A_secret_opens_at_no_other_place_and_under_no_other_key_and_the_error_says_which()
    {
        using SecretSealer sealer = Sealer();
        string text = sealer.Seal("secret", "db/S3/Secret");
        Assert.Contains("another place", Refused(sealer, text, "db2/S3/Secret"), StringComparison.Ordinal);
        using SecretSealer other = Sealer();
        Assert.Contains("another master key", Refused(other, text, "db/S3/Secret"), StringComparison.Ordinal);
        byte[] bytes = Convert.FromBase64String(text);
        for (int i = 0; i < bytes.Length; i++)
        {
            bytes[i] ^= 1;
            Assert.NotEmpty(Refused(sealer, Convert.ToBase64String(bytes), "db/S3/Secret"));
            bytes[i] ^= 1;
        }

        Assert.Contains("damaged", Refused(sealer, "nonsense", "p"), StringComparison.Ordinal);
        Assert.Contains("damaged", Refused(sealer, "", "p"), StringComparison.Ordinal);
    }

    private static SecretSealer Sealer() =>
        new(MasterKey.Of(RandomNumberGenerator.GetBytes(MasterKey.SizeBytes), "key"));

    private static string Refused(SecretSealer sealer, string text, string place) =>
        Assert.Throws<MasterKeyException>(() => sealer.Open(text, place)).Message;

    private static byte[] Derived(MasterKey key)
    {
        using (key)
        {
            return key.Derive("test");
        }
    }

    private string Write(byte[] bytes)
    {
        string path = Path.Combine(_folder, Guid.NewGuid().ToString("N"));
        File.WriteAllBytes(path, bytes);
        if (!OperatingSystem.IsWindows())
        {
            File.SetUnixFileMode(path, UnixFileMode.UserRead | UnixFileMode.UserWrite);
        }

        return path;
    }
}
