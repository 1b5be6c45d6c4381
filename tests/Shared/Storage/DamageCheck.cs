using System.Diagnostics;
using System.Runtime.InteropServices;
using Raven.Storage.Files;
using Raven.Storage.Errors;
using Raven.Storage.Paging;
using Raven.Storage.Transactions;

namespace Shared.Storage;

/// <summary>
/// Bytes that changed on the disk: whatever was damaged, what is read is what was written, or the damage is reported.
/// </summary>
internal static class DamageCheck
{
    private const int SectorBytes = 512;
    private const int PageBytes = 8192;

    /// <summary>Behind this an open hangs.</summary>
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(10);

    /// <summary>Damages one place of an image, whose files are marked.</summary>
    internal static string Damage(DiskImage image, Random random)
    {
        string[] files = [.. image.Files.Keys.Where(name => image.Files[name].Length > 0).Order()];
        string name = files[random.Next(files.Length)];
        FileBytes bytes = image.Files[name];
        int offset = random.Next(bytes.Length);
        switch (random.Next(10))
        {
            case 0:
                int sector = offset / SectorBytes * SectorBytes;
                bytes.Write(sector, new byte[Math.Min(SectorBytes, bytes.Length - sector)]);
                return $"{name}: sector at {sector} zeroed";
            case 1 when bytes.Length >= 5 * PageBytes && name == "data.voron":
                int first = 2 + random.Next(bytes.Length / PageBytes - 3);
                byte[] both = bytes.Span.Slice(first * PageBytes, 2 * PageBytes).ToArray();
                bytes.Write(first * PageBytes, [.. both[PageBytes..], .. both[..PageBytes]]);
                return $"{name}: pages {first} and {first + 1} exchanged";
            case 2:
                image.Files.Remove(name);
                return $"{name}: deleted";
            case 3:
                bytes.SetLength(0);
                return $"{name}: emptied";
            case 4:
                bytes.SetLength(offset);
                return $"{name}: cut to {offset}";
            default:
                // Most of a small file is empty: aim at its headers and first records more often than not.
                offset = random.Next(3) == 0 ? offset : random.Next(Math.Min(bytes.Length, 12 * 4096));
                int bit = random.Next(8);
                bytes.Write(offset, [(byte)(bytes.Span[offset] ^ (1 << bit))]);
                return $"{name}: bit {bit} of byte {offset}";
        }
    }

    /// <summary>All bits of the page headers of the data file.</summary>
    internal static IEnumerable<(string File, int Offset, int Bit)> HeaderBits(DiskImage image)
    {
        FileBytes bytes = image.Files[DataFile.Name];
        int end = bytes.Span.LastIndexOfAnyExcept((byte)0) + 1;
        for (int offset = 0; offset < end; offset += PageBytes)
        {
            for (int bit = 0; bit < 8 * PageHeader.SizeInBytes; bit++)
            {
                yield return (DataFile.Name, offset + (bit / 8), bit % 8);
            }
        }
    }

    /// <summary>
    /// All bits of the journal: of each byte up to the last one that is not zero, and of the zeros between records,
    /// which are never read, one.
    /// </summary>
    internal static IEnumerable<(string File, int Offset, int Bit)> JournalBits(DiskImage image)
    {
        foreach ((string name, FileBytes bytes) in image.Files.Where(file => JournalName.TryParse(file.Key, out _)))
        {
            int end = bytes.Span.LastIndexOfAnyExcept((byte)0) + 1;
            for (int offset = 0; offset < end; offset++)
            {
                int first = bytes.Span[offset] == 0 ? offset % 8 : 0;
                for (int bit = first; bit < (bytes.Span[offset] == 0 ? first + 1 : 8); bit++)
                {
                    yield return (name, offset, bit);
                }
            }
        }
    }

    /// <summary>
    /// Throws if wrong data is returned. A refused open, a reported page, and a last record that reads as torn
    /// are allowed.
    /// </summary>
    internal static void Require(CrashWorkload workload, DiskImage image)
    {
        long start = Stopwatch.GetTimestamp();
        RequireNothingWrong(workload, image);
        TimeSpan elapsed = Stopwatch.GetElapsedTime(start);
        if (elapsed > Patience)
        {
            throw new CrashTestException($"It took {elapsed} to open and read it.");
        }
    }

    /// <summary>The kinds of the pages that an image has.</summary>
    internal static IEnumerable<PageKind> KindsIn(DiskImage image)
    {
        FileBytes data = image.Files[DataFile.Name];
        for (int page = 2; (page + 1) * PageBytes <= data.Length;)
        {
            PageHeader header = MemoryMarshal.Read<PageHeader>(data.Span[(page * PageBytes)..]);
            bool isPage = header.PageNumber == page && header.Kind != PageKind.None;
            if (isPage)
            {
                yield return header.Kind;
            }

            page += isPage && header.RunLengthBytes > 0 ? PageHeader.PagesForRun(header.RunLengthBytes) : 1;
        }
    }

    private static void RequireNothingWrong(CrashWorkload workload, DiskImage image)
    {
        using var disk = new SimulatedFileSystem(image, borrows: true);
        try
        {
            using StorageEnvironment environment = workload.Open(disk);
            using ReadTransaction reader = environment.BeginRead();
            long recovered = reader.Id;
            long last = workload.Attempts.Count == 0 ? 0 : workload.Attempts[^1].TransactionId;
            bool isWhole = recovered == last || (recovered == last - 1 && environment.Recovery.JournalRead);
            string? difference = recovered == 0 && isWhole
                ? CrashWorkload.Difference(reader, CrashWorkload.Empty)
                : $"recovered {recovered} of {last}";
            foreach (CommitAttempt attempt in workload.Attempts)
            {
                if (isWhole && attempt.TransactionId == recovered && difference is not null)
                {
                    difference = CrashWorkload.Difference(reader, attempt.State);
                }
            }

            if (difference is not null)
            {
                throw new CrashTestException($"Wrong data, unnoticed: {difference}");
            }
        }
        catch (Exception failure) when (failure is StorageCorruptedException or StorageVersionException)
        {
            // Reported: that is what damage must come to.
        }
    }
}
