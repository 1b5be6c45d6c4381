using System.Diagnostics;
using Raven.Storage.Files;
using Raven.Storage.Platform;

namespace Raven.Tools.Bench.Suites.Storage;

/// <summary>What the disk does alone: one thread, 4 KB at a time, each durable before the next, as a commit
/// is.</summary>
internal static class DiskProbe
{
    private const string FileName = "disk-probe";
    private const int FileSizeBytes = 4 << 20;
    private const int BlockSizeBytes = 4096;

    private static readonly TimeSpan Time = TimeSpan.FromMilliseconds(50);

    /// <summary>Writes a second into a file that was written before, as a recycled journal was.</summary>
    internal static double Measure(string folder)
    {
        var files = new RealFileSystem(folder);
        var block = new AlignedBytes(BlockSizeBytes);
        using IFile file = files.Open(
            FileName, FileOpenMode.Create | FileOpenMode.Direct | FileOpenMode.WriteThrough);
        for (long offset = file.Length; offset < FileSizeBytes; offset += BlockSizeBytes)
        {
            file.WriteAt(offset, block.Span);
        }

        long start = Stopwatch.GetTimestamp();
        int writes = 0;
        for (; Stopwatch.GetElapsedTime(start) < Time; writes++)
        {
            file.WriteAt((long)writes * BlockSizeBytes % FileSizeBytes, block.Span);
        }

        return writes / Stopwatch.GetElapsedTime(start).TotalSeconds;
    }
}
