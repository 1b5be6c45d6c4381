using System.Diagnostics;
using SlowTests.Support;

namespace SlowTests.Security;

/// <summary>The local socket of a server process, called by processes of other users.</summary>
[Trait(Category.Shard, "server")]
public sealed class LocalSocketTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("raven-local-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    /// <summary>The file is opened to everyone: what counts is what the kernel says of the caller.</summary>
    [ProgramFact("/usr/bin/setpriv", "util-linux", asRoot: true)]
    [Trait("Security", "49")]
    [Trait(Category.Run, Category.Ci)]
    public void A_process_of_another_user_is_cut_off_at_the_local_socket()
    {
        string data = Path.Combine(_folder, "data");
        using ServerProcess server = ServerProcess.Start(data);
        string socket = Path.Combine(data, "raven.sock");
        Assert.Contains("\"Status\":\"Healthy\"", Ask(socket, []), StringComparison.Ordinal);
        File.SetUnixFileMode(socket, (UnixFileMode)0b110_110_110);
        File.SetUnixFileMode(data, (UnixFileMode)0b111_101_101);
        File.SetUnixFileMode(_folder, (UnixFileMode)0b111_101_101);
        Assert.Equal("", Ask(socket, ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]));
        Assert.Contains("\"Status\":\"Healthy\"", Ask(socket, []), StringComparison.Ordinal);
    }

    private static string Ask(string socket, string[] before)
    {
        string[] command = [.. before, "curl", "-s", "--unix-socket", socket, "http://localhost/healthz"];
        using Process process = Process.Start(
            new ProcessStartInfo(command[0], command[1..]) { RedirectStandardOutput = true })!;
        string printed = process.StandardOutput.ReadToEnd();
        process.WaitForExit();
        return printed;
    }
}
