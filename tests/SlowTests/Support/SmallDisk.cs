using System.Diagnostics;

namespace SlowTests.Support;

/// <summary>
/// A real disk of 64 MB, mounted for a test: memory (tmpfs) or an ext4 in a file. Mounting takes the right to, and
/// without it a test fails and says why; only if the environment variable DEV_NO_MOUNTS is 1, which says that mounts
/// cannot be had on this machine, it goes without.
/// </summary>
internal sealed class SmallDisk : IDisposable
{
    private const string NoMounts = "DEV_NO_MOUNTS";
    private const long SizeBytes = 64L << 20;

    private readonly string? _image;
    private readonly string _ballast;

    private SmallDisk(string folder, string? image)
    {
        Folder = folder;
        _image = image;
        _ballast = Path.Combine(folder, "ballast");
    }

    /// <summary>The folder at which it is mounted.</summary>
    internal string Folder { get; }

    /// <summary>Mounts one.</summary>
    /// <param name="kind">tmpfs or ext4.</param>
    /// <param name="output">
    /// Receives the note of a test that has tested nothing: <c>build.sh slow</c> then counts it as not tested, and not
    /// as passed.
    /// </param>
    /// <returns>Null if the machine is said to have no mounts.</returns>
    internal static SmallDisk? Mount(string kind, ITestOutputHelper output)
    {
        if (Environment.GetEnvironmentVariable(NoMounts) == "1")
        {
            output.WriteLine($"not tested: {NoMounts}=1 says that no {kind} can be mounted here");
            return null;
        }

        string folder = Directory.CreateTempSubdirectory("raven-disk-").FullName;
        if (kind == "tmpfs")
        {
            Run("mount", "-t", "tmpfs", "-o", $"size={SizeBytes}", "tmpfs", folder);
            return new SmallDisk(folder, image: null);
        }

        string image = folder + ".image";
        using (FileStream file = File.Create(image))
        {
            file.SetLength(SizeBytes);
        }

        // No blocks reserved for root, who runs these tests if they can mount.
        Run($"mkfs.{kind}", "-q", "-F", "-m", "0", image);
        Run("mount", "-o", "loop", image, folder);
        return new SmallDisk(folder, image);
    }

    /// <summary>Takes all room but so many megabytes.</summary>
    internal void Fill(int megabytesLeft)
    {
        byte[] piece = new byte[64 << 10];
        using FileStream file = new(_ballast, FileMode.Create, FileAccess.Write, FileShare.Read, bufferSize: 0);
        try
        {
            while (true)
            {
                file.Write(piece);
            }
        }
        catch (IOException)
        {
            // Full, as it should be.
            file.SetLength(Math.Max(0, file.Length - ((long)megabytesLeft << 20)));
        }
    }

    /// <summary>Gives the room back.</summary>
    internal void Free() => File.Delete(_ballast);

    public void Dispose()
    {
        Run("umount", Folder);
        Directory.Delete(Folder);
        if (_image is not null)
        {
            File.Delete(_image);
        }
    }

    private static void Run(string program, params string[] arguments)
    {
        var start = new ProcessStartInfo(program, arguments) { RedirectStandardError = true };
        string said;
        int exitCode;
        try
        {
            using Process process = Process.Start(start)!;
            said = process.StandardError.ReadToEnd();
            process.WaitForExit();
            exitCode = process.ExitCode;
        }
        catch (System.ComponentModel.Win32Exception missing)
        {
            (said, exitCode) = (missing.Message, -1);
        }

        Assert.True(
            exitCode == 0,
            $"`{program} {string.Join(' ', arguments)}` failed ({exitCode}): {said}" +
            $"A disk of 64 MB takes mounts; {NoMounts}=1 says that this machine has none.");
    }
}
