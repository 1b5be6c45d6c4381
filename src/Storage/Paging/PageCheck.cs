using System.IO.Hashing;
using System.Runtime.InteropServices;
using Raven.Storage.Errors;
using Raven.Storage.Files;
using Raven.Storage.Platform;

namespace Raven.Storage.Paging;

/// <summary>The first read of a page or a run (DATA-3). One at a time; its memory is used again by the next.</summary>
internal sealed class PageCheck : IDisposable
{
    private const int PageSize = PageHeader.PageSizeInBytes;
    private const int PieceSizeBytes = 256 << 10;

    private readonly ulong _environmentId;
    private readonly NativeBuffer _buffer = new(PageSize);
    private XxHash3? _hash;

    /// <param name="environmentId">What seeds the checksums.</param>
    internal PageCheck(ulong environmentId) => _environmentId = environmentId;

    /// <summary>Reads a page, or its whole run, through the file and compares its checksum.</summary>
    /// <param name="file">The file.</param>
    /// <param name="page">The page.</param>
    /// <param name="fileBytes">The file's length.</param>
    /// <exception cref="StorageCorruptedException">It is not what was written.</exception>
    internal void Run(IFile file, long page, long fileBytes)
    {
        long offset = page * PageSize;
        ReadWhole(file, offset, _buffer.Slice(PageSize).WritableSpan);
        PageHeader header = MemoryMarshal.Read<PageHeader>(_buffer.Span);
        if (header.PageNumber != page)
        {
            throw new StorageCorruptedException(
                DataFile.Name, offset, $"page {page} holds page {header.PageNumber}.");
        }

        ulong checksum;
        if (header.RunLengthBytes == 0)
        {
            checksum = DataFile.ChecksumOf(_buffer.Slice(PageSize).Span, _environmentId);
        }
        else
        {
            long length = (long)PageHeader.PagesForRun(header.RunLengthBytes) * PageSize;
            if (header.RunLengthBytes < 0 || offset + length > fileBytes || length > int.MaxValue)
            {
                throw new StorageCorruptedException(DataFile.Name, offset, $"page {page} has an impossible length.");
            }

            checksum = ReadChecksum(file, offset, length);
        }

        if (header.Checksum != checksum)
        {
            throw new StorageCorruptedException(DataFile.Name, offset, $"the checksum of page {page} is wrong.");
        }
    }

    public void Dispose() => _buffer.Dispose();

    /// <summary>
    /// The checksum of a run, read in pieces: the first read takes the same memory for any length, and hashes bytes
    /// that are still in the processor's cache.
    /// </summary>
    private ulong ReadChecksum(IFile file, long offset, long length)
    {
        // A read that failed may have left half a run in it.
        _hash ??= new XxHash3((long)_environmentId);
        _hash.Reset();
        _buffer.EnsureCapacity(PieceSizeBytes, 0);
        long end = offset + length;
        offset += sizeof(ulong);
        while (offset < end)
        {
            Span<byte> piece = _buffer.Slice((int)Math.Min(PieceSizeBytes, end - offset)).WritableSpan;
            ReadWhole(file, offset, piece);
            _hash.Append(piece);
            offset += piece.Length;
        }

        return _hash.GetCurrentHashAsUInt64();
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
