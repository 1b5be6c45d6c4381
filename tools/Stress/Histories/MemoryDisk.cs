using System.Diagnostics;
using System.Globalization;

namespace Raven.Tools.Stress.Histories;

/// <summary>A small disk in memory (tmpfs), mounted at a folder, that can be filled. Takes root.</summary>
internal sealed class MemoryDisk : IDisposable
{
    private readonly string _folder;
    private readonly string _ballast;

    private MemoryDisk(string folder)
    {
        _folder = folder;
        _ballast = Path.Combine(folder, "ballast");
    }

    /// <summary>Mounts one at a folder, which is made; null if this machine lets nobody.</summary>
    internal static MemoryDisk? TryMount(string folder, int megabytes)
    {
        Directory.CreateDirectory(folder);
        return Environment.UserName == "root" && Run(
            "mount", "-t", "tmpfs", "-o", string.Create(CultureInfo.InvariantCulture, $"size={megabytes}m"),
            "tmpfs", folder)
            ? new MemoryDisk(folder)
            : null;
    }

    /// <summary>Takes all room.</summary>
    internal void Fill()
    {
        byte[] piece = new byte[64 << 10];
        using FileStream file = new(_ballast, FileMode.Create, FileAccess.Write, FileShare.ReadWrite, bufferSize: 0);
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
        }
    }

    /// <summary>Gives the room back.</summary>
    internal void Free() => File.Delete(_ballast);

    public void Dispose() => Run("umount", "-l", _folder);

    private static bool Run(string program, params string[] arguments)
    {
        using Process process = Process.Start(new ProcessStartInfo(program, arguments)
        {
            RedirectStandardError = true,
        })!;
        process.StandardError.ReadToEnd();
        process.WaitForExit();
        return process.ExitCode == 0;
    }
}
