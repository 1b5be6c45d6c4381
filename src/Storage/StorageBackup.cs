using System.Runtime.InteropServices;
using Raven.Blittable.Memory;
using Raven.Storage.Errors;
using Raven.Storage.Files;
using Raven.Storage.Options;
using Raven.Storage.Paging;
using Raven.Storage.Platform;
using Raven.Storage.Transactions;

namespace Raven.Storage;

/// <summary>Copies an environment while it is written to.</summary>
public static class StorageBackup
{
    private const int WriteBufferBytes = 1 << 20;

    /// <summary>
    /// Writes the state of one moment into another folder as an environment of its own, synced and whole; if it fails,
    /// it leaves only the file of the folder's lock there. Holds that lock meanwhile. Every page's checksum is
    /// verified, even if it was verified before. It reads as a reader does, within a reader's budget:
    /// <see cref="StorageOptions.SnapshotAgeMax"/> must allow for a backup's time.
    /// </summary>
    /// <param name="environment">The environment to copy; writers and readers continue.</param>
    /// <param name="target">A folder without an environment.</param>
    /// <returns>The transaction whose state was copied.</returns>
    /// <exception cref="InvalidOperationException">There is an environment in the target already.</exception>
    /// <exception cref="StorageInUseException">It is open, or another copy is being made there.</exception>
    /// <exception cref="StorageCorruptedException">A page is damaged.</exception>
    /// <exception cref="SnapshotExpiredException">It took longer than a reader may.</exception>
    public static long Copy(StorageEnvironment environment, IFileSystem target)
    {
        ArgumentNullException.ThrowIfNull(environment);
        ArgumentNullException.ThrowIfNull(target);
        using IFile lockFile = FolderLock.Acquire(target);
        if (target.Exists(DataFile.Name))
        {
            throw new InvalidOperationException($"{target.Description} has an environment in it already.");
        }

        using ReadTransaction reader = environment.BeginRead();
        reader.Purpose = "backup";
        long copied = reader.Id;
        try
        {
            using (IFile file = target.Open(DataFile.UnfinishedName, FileOpenMode.Create))
            {
                file.SetLength(0);
                file.Preallocate(reader.NextPageNumber * PageHeader.PageSizeInBytes);
                CopyPages(environment, reader, file);
                WriteHeaders(environment, reader, file);
                file.Sync();
            }

            target.Rename(DataFile.UnfinishedName, DataFile.Name);
            target.SyncDirectory();
        }
        catch
        {
            RemoveCopy(target);
            throw;
        }

        return copied;
    }

    /// <summary>
    /// Part of a copy is useless and may be as large as the whole; a whole copy that a power cut may remove is not what
    /// was promised, and would block the next one.
    /// </summary>
    private static void RemoveCopy(IFileSystem target)
    {
        try
        {
            target.Delete(DataFile.UnfinishedName);
            target.Delete(DataFile.Name);
        }
        catch (StorageIOException)
        {
            // The earlier failure is the cause and is the one to report; a later open or copy replaces the file.
        }
    }

    private static void CopyPages(StorageEnvironment environment, ReadTransaction reader, IFile file)
    {
        using var buffer = new NativeBuffer(WriteBufferBytes);
        long first = 2;
        int used = 0;
        for (long page = first; page < reader.NextPageNumber;)
        {
            if (!FreeSpace.IsMapPage(page) && FreeSpace.IsFree(reader, page))
            {
                Write(file, buffer, first, ref used);
                first = ++page;
                continue;
            }

            NativeSlice source = reader.GetPage(page);
            if (used + source.Length > buffer.Capacity)
            {
                Write(file, buffer, first, ref used);
                first = page;
                buffer.EnsureCapacity(source.Length, 0);
            }

            Span<byte> copy = buffer.Span.Slice(used, source.Length);
            source.Span.CopyTo(copy);
            if (reader.IsInDataFile(page))
            {
                // It may have been read and checked long ago: what is in the file now is copied.
                RequireIntact(copy, page, environment.EnvironmentId);
            }
            else
            {
                DataFile.Seal(copy, environment.EnvironmentId);
            }

            used += source.Length;
            page += source.Length / PageHeader.PageSizeInBytes;
        }

        Write(file, buffer, first, ref used);
    }

    internal static void RequireIntact(ReadOnlySpan<byte> copy, long page, ulong environmentId)
    {
        if (MemoryMarshal.Read<ulong>(copy) != DataFile.ChecksumOf(copy, environmentId))
        {
            throw new StorageCorruptedException(
                DataFile.Name, page * PageHeader.PageSizeInBytes, $"page {page} does not have its checksum any more.");
        }
    }

    private static void Write(IFile file, NativeBuffer buffer, long firstPage, ref int used)
    {
        if (used > 0)
        {
            file.WriteAt(firstPage * PageHeader.PageSizeInBytes, buffer.Slice(used).Span);
            used = 0;
        }
    }

    /// <summary>Both headers name the copied state and no journal.</summary>
    private static void WriteHeaders(StorageEnvironment environment, ReadTransaction reader, IFile file)
    {
        var header = new FileHeader { EnvironmentId = environment.EnvironmentId, Point = reader.Point };
        header.Point.JournalFileNumber = header.Point.JournalOffset = header.Point.JournalLengthBytes = 0;
        Span<byte> sector = stackalloc byte[FileHeader.SizeInBytes];
        for (header.Counter = 0; header.Counter < 2; header.Counter++)
        {
            header.WriteTo(sector);
            file.WriteAt(FileHeader.OffsetOf(header.Counter), sector);
        }
    }
}
