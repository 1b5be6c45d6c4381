using System.Runtime.InteropServices;
using Raven.Storage.Checksums;
using Raven.Storage.Errors;
using Raven.Storage.Files;
using Raven.Storage.Platform;

namespace Raven.Storage.Paging;

/// <summary>The first read of a page or a run (DATA-3).</summary>
internal static class PageCheck
{
    private const int PageSize = PageHeader.PageSizeInBytes;

    /// <summary>Reads a page, or its whole run, through the file and compares its checksum.</summary>
    /// <param name="file">The file.</param>
    /// <param name="page">The page.</param>
    /// <param name="fileBytes">The file's length.</param>
    /// <param name="environmentId">What seeds the checksum.</param>
    /// <param name="buffer">Memory: of a page and more.</param>
    /// <exception cref="StorageCorruptedException">It is not what was written.</exception>
    internal static void Run(
        IFile file, long page, long fileBytes, ulong environmentId, NativeBuffer buffer)
    {
        long offset = page * PageSize;
        ReadWhole(file, offset, buffer.Slice(PageSize).WritableSpan);
        PageHeader header = MemoryMarshal.Read<PageHeader>(buffer.Span);
        if (header.PageNumber != page)
        {
            throw new StorageCorruptedException(
                DataFile.Name, offset, $"page {page} holds page {header.PageNumber}.");
        }

        ulong checksum;
        if (header.RunLengthBytes == 0)
        {
            checksum = DataFile.ChecksumOf(buffer.Slice(PageSize).Span, environmentId);
        }
        else
        {
            long length = (long)PageHeader.PagesForRun(header.RunLengthBytes) * PageSize;
            if (header.RunLengthBytes < 0 || offset + length > fileBytes || length > int.MaxValue)
            {
                throw new StorageCorruptedException(DataFile.Name, offset, $"page {page} has an impossible length.");
            }

            checksum = ReadChecksum(file, offset, length, environmentId, buffer);
        }

        if (header.Checksum != checksum)
        {
            throw new StorageCorruptedException(DataFile.Name, offset, $"the checksum of page {page} is wrong.");
        }
    }

    /// <summary>
    /// The checksum of a run, read in pieces: the first read takes the same memory for any length, and hashes bytes
    /// that are still in the processor's cache.
    /// </summary>
    private static ulong ReadChecksum(IFile file, long offset, long length, ulong environmentId, NativeBuffer buffer)
    {
        Span<byte> secret = stackalloc byte[XxHash3Stripes.SecretSizeBytes];
        Span<ulong> sums = stackalloc ulong[XxHash3Stripes.SumCount];
        var hash = new XxHash3Pieces(environmentId, secret, sums);
        buffer.EnsureCapacity(XxHash3Pieces.PieceSizeBytes, 0);
        Span<byte> piece = buffer.Slice(XxHash3Pieces.PieceSizeBytes).WritableSpan;
        long end = offset + length;
        offset += sizeof(ulong);
        for (; end - offset > piece.Length; offset += piece.Length)
        {
            ReadWhole(file, offset, piece);
            hash.Add(piece);
        }

        // Runs consist of whole pages: at least a page without the checksum itself is left.
        piece = piece[..(int)(end - offset)];
        ReadWhole(file, offset, piece);
        return hash.Finish(piece);
    }

    private static void ReadWhole(IFile file, long offset, Span<byte> target)
    {
        int count = file.ReadAt(offset, target);
        if (count < target.Length)
        {
            throw new StorageCorruptedException(
                DataFile.Name, offset + count, "the file ends in the middle of a page.");
        }
    }
}
