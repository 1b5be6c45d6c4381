using System.Diagnostics;
using Raven.Storage.Files;
using Shared.Storage;

namespace SlowTests.Storage;

/// <summary>A real disk of 64 MB that fills up and gets room again (T10). Mounting one takes the right to.</summary>
[Trait(Category.Shard, "storage-soak")]
[Collection(nameof(SoakTests))]
public sealed class SmallDiskTests
{
    private const int Rounds = 50;

    [Fact]
    public void Fifty_times_full_and_free_again_loses_nothing()
    {
        string folder = Directory.CreateTempSubdirectory("raven-full-").FullName;
        if (!Run("mount", "-t", "tmpfs", "-o", "size=64m", "tmpfs", folder))
        {
            Console.WriteLine("skipped: no tmpfs can be mounted here");
            Directory.Delete(folder);
            return;
        }

        try
        {
            string ballast = Path.Combine(folder, "ballast");
            using var check = new DiskFullCheck(new RealFileSystem(Path.Combine(folder, "data")), seed: 50);
            for (int round = 0; round < Rounds; round++)
            {
                check.Round(fill: () => Fill(ballast, round % 3), free: () => File.Delete(ballast));
            }
        }
        finally
        {
            Assert.True(Run("umount", folder));
            Directory.Delete(folder);
        }
    }

    /// <summary>Takes all room but so many megabytes.</summary>
    private static void Fill(string path, int megabytesLeft)
    {
        byte[] megabyte = new byte[1 << 20];
        using FileStream file = File.Create(path);
        try
        {
            while (true)
            {
                file.Write(megabyte);
                file.Flush();
            }
        }
        catch (IOException)
        {
            // Full, as it should be.
            file.SetLength(Math.Max(0, file.Length - ((long)megabytesLeft << 20)));
        }
    }

    private static bool Run(string program, params string[] arguments)
    {
        using var process = Process.Start(program, arguments);
        process.WaitForExit();
        return process.ExitCode == 0;
    }
}
