using System.Buffers.Binary;
using System.Runtime.InteropServices;
using Raven.Storage.Errors;
using Raven.Storage.Paging;

namespace Raven.Storage.Backup;

/// <summary>Reads a copy of pages (<see cref="PageBackup"/>) piece by piece. What it reads it checks.</summary>
/// <param name="name">What messages call it.</param>
/// <param name="source">Its bytes.</param>
internal sealed class PageBackupReader(string name, Stream source)
{
    private const int EntryBytes = sizeof(long) + sizeof(int);
    private const long RunBytesMax = int.MaxValue - PageHeader.PageSizeInBytes;

    private byte[] _buffer = new byte[1 << 20];
    private FileHeader _end;

    /// <summary>The bytes that were read.</summary>
    internal long Position { get; private set; }

    /// <summary>The page, or the first one of the run, that was read last.</summary>
    internal long Page { get; private set; }

    /// <summary>Its bytes, until the next is read.</summary>
    internal Memory<byte> Bytes { get; private set; }

    /// <summary>The header at the end: whole if it has a magic.</summary>
    internal ref readonly FileHeader End => ref _end;

    /// <summary>Reads how it begins.</summary>
    /// <exception cref="StorageCorruptedException">It is no copy of pages.</exception>
    /// <exception cref="StorageVersionException">A newer build wrote it.</exception>
    internal async ValueTask<PageBackupHeader> ReadStartAsync(CancellationToken cancellation)
    {
        ReadOnlyMemory<byte> bytes = await ReadAsync(PageBackupHeader.SizeInBytes, cancellation).ConfigureAwait(false);
        PageBackupHeader header = MemoryMarshal.Read<PageBackupHeader>(bytes.Span);
        if (header.Magic != PageBackupHeader.MagicValue)
        {
            throw Damaged("it is no copy of pages");
        }

        if (header.FormatVersion > PageBackupHeader.CurrentVersion)
        {
            throw new StorageVersionException(name, header.FormatVersion, PageBackupHeader.CurrentVersion);
        }

        return header.PageSizeBytes == PageHeader.PageSizeInBytes
            ? header
            : throw Damaged($"its pages have {header.PageSizeBytes} bytes");
    }

    /// <summary>Reads the next page or run.</summary>
    /// <param name="environmentId">Seeds its checksum.</param>
    /// <param name="cancellation">Ends it.</param>
    /// <returns>False at the end: then the header there was read, and nothing follows it.</returns>
    /// <exception cref="StorageCorruptedException">It is damaged.</exception>
    /// <exception cref="StorageVersionException">A newer build wrote it.</exception>
    internal async ValueTask<bool> ReadNextAsync(ulong environmentId, CancellationToken cancellation)
    {
        ReadOnlyMemory<byte> entry = await ReadAsync(EntryBytes, cancellation).ConfigureAwait(false);
        Page = BinaryPrimitives.ReadInt64LittleEndian(entry.Span);
        int length = BinaryPrimitives.ReadInt32LittleEndian(entry.Span[sizeof(long)..]);
        if (Page == -1 && length == FileHeader.SizeInBytes)
        {
            TakeEnd(await ReadAsync(length, cancellation).ConfigureAwait(false), environmentId);
            await RequireEndAsync(cancellation).ConfigureAwait(false);
            return false;
        }

        if (Page < DataFile.FirstUsablePage - 1 || length <= 0 || length > RunBytesMax
            || length % PageHeader.PageSizeInBytes != 0 || Page > long.MaxValue / PageHeader.PageSizeInBytes / 2)
        {
            throw Damaged($"it has a page {Page} of {length} bytes");
        }

        Bytes = await ReadAsync(length, cancellation).ConfigureAwait(false);
        PageHeader header = MemoryMarshal.Read<PageHeader>(Bytes.Span);
        return header.PageNumber == Page && header.Checksum == DataFile.ChecksumOf(Bytes.Span, environmentId)
            ? true
            : throw Damaged($"page {Page} does not have its checksum");
    }

    internal StorageCorruptedException Damaged(string what) => new(name, Position, what);

    private void TakeEnd(ReadOnlyMemory<byte> bytes, ulong environmentId)
    {
        if (!FileHeader.TryRead(bytes.Span, out _end) || _end.EnvironmentId != environmentId
            || _end.Point.NextPageNumber < DataFile.FirstUsablePage)
        {
            throw Damaged("the header at its end is not whole");
        }

        if (_end.FormatVersion > FileHeader.CurrentVersion)
        {
            throw new StorageVersionException(name, _end.FormatVersion, FileHeader.CurrentVersion);
        }
    }

    private async ValueTask RequireEndAsync(CancellationToken cancellation)
    {
        if (await source.ReadAsync(_buffer.AsMemory(0, 1), cancellation).ConfigureAwait(false) != 0)
        {
            throw Damaged("something follows its end");
        }
    }

    private async ValueTask<Memory<byte>> ReadAsync(int length, CancellationToken cancellation)
    {
        if (_buffer.Length < length)
        {
            Array.Resize(ref _buffer, length);
        }

        Memory<byte> part = _buffer.AsMemory(0, length);
        int read = await source.ReadAtLeastAsync(part, length, throwOnEndOfStream: false, cancellation)
            .ConfigureAwait(false);
        if (read < length)
        {
            throw Damaged("it ends too early");
        }

        Position += read;
        return part;
    }
}
