using Raven.Storage;
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

    /// <summary>Damages one place of an image, in a copy of the one file that it is in.</summary>
    internal static string Damage(DiskImage image, Random random)
    {
        string[] files = [.. image.Files.Keys.Where(name => image.Files[name].Length > 0).Order()];
        string name = files[random.Next(files.Length)];
        byte[] bytes = (byte[])image.Files[name].Clone();
        image.Files[name] = bytes;
        int offset = random.Next(bytes.Length);
        switch (random.Next(10))
        {
            case 0:
                int sector = offset / SectorBytes * SectorBytes;
                bytes.AsSpan(sector, Math.Min(SectorBytes, bytes.Length - sector)).Clear();
                return $"{name}: sector at {sector} zeroed";
            case 1 when bytes.Length >= 5 * PageBytes && name == "data.voron":
                int first = 2 + random.Next(bytes.Length / PageBytes - 3);
                byte[] moved = bytes.AsSpan(first * PageBytes, PageBytes).ToArray();
                bytes.AsSpan((first + 1) * PageBytes, PageBytes).CopyTo(bytes.AsSpan(first * PageBytes));
                moved.CopyTo(bytes, (first + 1) * PageBytes);
                return $"{name}: pages {first} and {first + 1} exchanged";
            case 2:
                image.Files.Remove(name);
                return $"{name}: deleted";
            case 3:
                image.Files[name] = [];
                return $"{name}: emptied";
            case 4:
                image.Files[name] = bytes[..offset];
                return $"{name}: cut to {offset}";
            default:
                // Most of a small file is empty: aim at its headers and first records more often than not.
                offset = random.Next(3) == 0 ? offset : random.Next(Math.Min(bytes.Length, 12 * 4096));
                int bit = random.Next(8);
                bytes[offset] ^= (byte)(1 << bit);
                return $"{name}: bit {bit} of byte {offset}";
        }
    }

    /// <summary>
    /// All bits of the page headers of the data file; of the journal a bit of each byte, but of its zeros one in 64.
    /// </summary>
    internal static IEnumerable<(string File, int Offset, int Bit)> AllPlaces(DiskImage image)
    {
        foreach ((string name, byte[] bytes) in image.Files)
        {
            bool isData = name == DataFile.Name;
            int end = bytes.AsSpan().LastIndexOfAnyExcept((byte)0) + 1;
            for (int offset = 0; offset < end; offset += isData ? PageBytes : 1)
            {
                if (!isData && bytes[offset] == 0 && offset % 64 != 0)
                {
                    continue;
                }

                for (int place = 0; place < (isData ? 8 * PageHeader.SizeInBytes : 1); place++)
                {
                    yield return (name, offset + (place / 8), isData ? place % 8 : offset % 8);
                }
            }
        }
    }

    /// <summary>
    /// Throws where wrong data comes back. A refused open, a reported page, and a last record that reads as torn are
    /// what may happen.
    /// </summary>
    internal static void Require(CrashWorkload workload, DiskImage image)
    {
        using var disk = new SimulatedFileSystem(image);
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
