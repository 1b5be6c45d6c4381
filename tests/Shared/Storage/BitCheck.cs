using System.Runtime.InteropServices;
using Raven.Storage.Errors;
using Raven.Storage.Files;
using Raven.Storage.Journal;
using Raven.Storage.Options;
using Raven.Storage.Paging;
using Raven.Storage.Recovery;
using Raven.Storage.Transactions;

namespace Shared.Storage;

/// <summary>
/// Bits of one page of each kind and of journal records, turned over one at a time: the read of the page, or of the
/// record, must notice each of them.
/// </summary>
internal static class BitCheck
{
    private const ulong EnvironmentId = 0x5EED;
    private const int Rows = 600;

    /// <summary>Turns over every <paramref name="stride"/>th bit of a page of each kind, of a run all of its
    /// pages.</summary>
    /// <returns>The kinds, and how many bits that were.</returns>
    internal static (IReadOnlyCollection<PageKind> Kinds, int Bits) Pages(int stride)
    {
        using var disk = new SimulatedFileSystem();
        DiskImage image = Fill(disk, isFlushed: true);
        FileBytes bytes = image.Files[DataFile.Name];
        using var copy = new SimulatedFileSystem(image, borrows: true);
        using var data = DataFile.Open(Options(copy));
        HashSet<PageKind> kinds = [];
        int bits = 0;
        for (long page = FreeSpace.PageOfPart(0); (page + 1) * PageHeader.PageSizeInBytes <= bytes.Length; page++)
        {
            PageHeader header = MemoryMarshal.Read<PageHeader>(bytes.Span[(int)(page * PageHeader.PageSizeInBytes)..]);
            if (header.PageNumber == page && header.Kind != PageKind.None && kinds.Add(header.Kind))
            {
                int length = Math.Max(1, PageHeader.PagesForRun(header.RunLengthBytes)) * PageHeader.PageSizeInBytes;
                int start = (int)(page * PageHeader.PageSizeInBytes);
                bits += Flip(bytes, start, length, stride, () => IsRefused(data, page));
                _ = data.GetPage(page);
            }
        }

        return (kinds, bits);
    }

    /// <summary>Turns over every <paramref name="stride"/>th bit of the first records of a journal, heads and
    /// payloads.</summary>
    /// <returns>How many records and bits that were.</returns>
    internal static (int Records, int Bits) Records(int stride, int recordsMax)
    {
        using var disk = new SimulatedFileSystem();
        DiskImage image = Fill(disk, isFlushed: false);
        string name = image.Files.Keys.Where(file => JournalName.TryParse(file, out _)).Order().First();
        FileBytes bytes = image.Files[name];
        using var copy = new SimulatedFileSystem(image, borrows: true);
        using IFile file = copy.Open(name, FileOpenMode.Existing);
        (int records, int bits) = (0, 0);
        for (long offset = 0; records < recordsMax; records++)
        {
            if (!TryRead(file, offset, out JournalRecordHeader header))
            {
                break;
            }

            int length = JournalRecordHeader.SizeInBytes + header.StoredBytes;
            long at = offset;
            bits += Flip(bytes, (int)offset, length, stride, () => !TryRead(file, at, out _));
            offset += header.SizeInFileBytes;
        }

        return (records, bits);
    }

    private static int Flip(FileBytes bytes, int start, int length, int stride, Func<bool> isNoticed)
    {
        int bits = 0;
        for (int bit = 0; bit < 8 * length; bit += stride, bits++)
        {
            byte mask = (byte)(1 << (bit % 8));
            bytes.Span[start + (bit / 8)] ^= mask;
            bool isSeen = isNoticed();
            bytes.Span[start + (bit / 8)] ^= mask;
            if (!isSeen)
            {
                throw new CrashTestException($"Bit {bit} behind byte {start} changed, and nobody noticed.");
            }
        }

        return bits;
    }

    private static bool IsRefused(DataFile data, long page)
    {
        try
        {
            _ = data.GetPage(page);
            return false;
        }
        catch (StorageCorruptedException)
        {
            return true;
        }
    }

    private static bool TryRead(IFile file, long offset, out JournalRecordHeader header)
    {
        using var reader = new JournalReader(file, EnvironmentId, readAheadBytes: 1 << 16);
        return reader.TryRead(offset, out header, out _);
    }

    private static StorageOptions Options(SimulatedFileSystem disk) => new()
    {
        FileSystem = disk,
        Scheduler = new ManualScheduler(),
        NewEnvironmentId = EnvironmentId,
    };

    /// <summary>All structures, so large that they have pages of each kind; or the journal of a few commits.</summary>
    private static DiskImage Fill(SimulatedFileSystem disk, bool isFlushed)
    {
        using StorageEnvironment environment = StorageEnvironment.Open(Options(disk));
        for (int round = 0; round < (isFlushed ? 1 : 4); round++)
        {
            using WriteTransaction transaction = environment.BeginWrite();
            for (int i = 0; i < (isFlushed ? Rows : 20); i++)
            {
                byte[] value = new byte[100 + i];
                new Random(i + round).NextBytes(value);
                transaction.OpenOrCreateTree("tree"u8).Put(BitConverter.GetBytes(i), value);
                transaction.OpenOrCreateFixedTree("fixed"u8, 64).Put(i, value.AsSpan(0, 64));
                transaction.OpenOrCreateRowHeap("rows"u8).Insert(value);
            }

            transaction.OpenOrCreateTree("tree"u8).Put("large"u8, new byte[isFlushed ? 20_000 : 3_000]);
            transaction.Commit();
        }

        if (isFlushed)
        {
            using (WriteTransaction transaction = environment.BeginWrite())
            {
                for (int i = 0; i < Rows / 2; i++)
                {
                    transaction.OpenOrCreateTree("tree"u8).Delete(BitConverter.GetBytes(i));
                }

                transaction.Commit();
            }

            environment.Flush();
        }

        return disk.CurrentImage();
    }
}
