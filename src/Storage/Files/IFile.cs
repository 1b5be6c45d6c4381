using Raven.Blittable.Memory;
using Raven.Storage.Errors;


namespace Raven.Storage.Files;

/// <summary>
/// An open file. Positional calls, safe on several threads if their ranges do not overlap. Errors are
/// <see cref="StorageIOException"/>.
/// </summary>
public interface IFile : IDisposable
{
    /// <summary>
    /// The alignment that <see cref="FileOpenMode.Direct"/> requires of offsets, lengths and addresses.
    /// </summary>
    const int DirectAlignmentBytes = 4096;

    /// <summary>The name in its folder.</summary>
    string Name { get; }

    /// <summary>The length in bytes, as it is now.</summary>
    long Length { get; }

    /// <summary>Reads until the span is full or the file ends.</summary>
    /// <returns>The bytes read.</returns>
    int ReadAt(long offset, Span<byte> target);

    /// <summary>Writes all of the bytes, or throws.</summary>
    void WriteAt(long offset, ReadOnlySpan<byte> source);

    /// <summary>
    /// Waits until all that was written is on the medium (fdatasync). After a failure nothing is known about any
    /// earlier write, and another call proves nothing.
    /// </summary>
    void Sync();

    /// <summary>
    /// Asks the system to begin writing that range, so that a later sync has less to wait for. A hint: it promises
    /// nothing, and errors are reported only by the sync.
    /// </summary>
    void BeginWriteBack(long offset, long length)
    {
    }

    /// <summary>Cuts or extends the file; an extension reads as zeros.</summary>
    void SetLength(long length);

    /// <summary>
    /// Extends the file to at least this length with its blocks reserved, so that the disk cannot fill later.
    /// </summary>
    void Preallocate(long length);

    /// <summary>
    /// Maps the file for reading, from its start. A map may reach behind the end of the file; that part must not be
    /// touched until the file has grown to it. Stays valid until disposed, after the file is closed, too.
    /// </summary>
    MemoryMap MapReadOnly(long length);

    /// <summary>Takes the lock that excludes a second process (or a second environment); released by Dispose.</summary>
    bool TryLock();
}
