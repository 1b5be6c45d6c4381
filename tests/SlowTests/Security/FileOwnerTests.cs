using System.Diagnostics;
using System.Security.Cryptography;
using Raven.Security.Certificates;
using Raven.Security.Secrets;
using SlowTests.Support;

namespace SlowTests.Security;

/// <summary>
/// A key that another user can read and a program that another user can change are refused, also by a server of root.
/// </summary>
[Trait(Category.Shard, "server")]
public sealed class FileOwnerTests : IDisposable
{
    private const string Program = "/usr/bin/chown";
    private const string Package = "coreutils";

    /// <summary>One with a large number too, which a header of tar writes in another form.</summary>
    private static readonly string[] Others = ["65534", "3000000"];

    private readonly string _folder = Directory.CreateTempSubdirectory("raven-owner-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [ProgramFact(Program, Package, asRoot: true)]
    [Trait(Category.Run, Category.Ci)]
    [Trait("Security", "65")]
    public void A_master_key_of_another_user_is_refused()
    {
        string path = Write(
            RandomNumberGenerator.GetBytes(MasterKey.SizeBytes), UnixFileMode.UserRead | UnixFileMode.UserWrite);
        MasterKey.Read(path).Dispose();
        foreach (string other in Others)
        {
            Give(path, other);
            Assert.Contains(
                $"another user ({other})", Assert.Throws<MasterKeyException>(() => MasterKey.Read(path)).Message,
                StringComparison.Ordinal);
        }

        Give(path, "0");
        MasterKey.Read(path).Dispose();
    }

    [ProgramFact(Program, Package, asRoot: true)]
    [Trait(Category.Run, Category.Ci)]
    [Trait("Security", "17")]
    public void A_program_of_another_user_is_not_run()
    {
        string path = Write(
            "#!/bin/sh\necho x\n"u8.ToArray(),
            UnixFileMode.UserRead | UnixFileMode.UserExecute | UnixFileMode.OtherRead);
        var program = new CertificateProgram(path, [], TimeSpan.FromMinutes(1));
        Assert.Equal("x\n"u8.ToArray(), program.Run(10));
        foreach (string other in Others)
        {
            Give(path, other);
            Assert.Contains(
                $"another user ({other})", Assert.Throws<CertificateException>(() => program.Run(10)).Message,
                StringComparison.Ordinal);
        }

        Give(path, "0");
        Assert.Equal("x\n"u8.ToArray(), program.Run(10));
    }

    private static void Give(string path, string user)
    {
        using Process chown = Process.Start(Program, [user, path]);
        chown.WaitForExit();
        Assert.Equal(0, chown.ExitCode);
    }

    private string Write(byte[] bytes, UnixFileMode mode)
    {
        string path = Path.Combine(_folder, Guid.NewGuid().ToString("N"));
        File.WriteAllBytes(path, bytes);
        File.SetUnixFileMode(path, mode);
        return path;
    }
}
