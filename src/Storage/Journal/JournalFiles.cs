using Raven.Storage.Errors;
using Raven.Storage.Files;
using Raven.Storage.Options;

namespace Raven.Storage.Journal;

/// <summary>
/// Makes journal files and keeps those that are no longer needed for their next use: overwriting blocks costs about
/// half of writing new ones (docs/decisions/0020). Any thread.
/// </summary>
internal sealed class JournalFiles : IDisposable
{
    private const int SparesMax = 4;

    private readonly IFileSystem _files;
    private readonly StorageOptions _options;
    private readonly Lock _lock = new();
    private readonly List<JournalFile> _spares = [];
    private long _lastNumber;
    private long _nextLength;
    private long _totalBytes;

    internal JournalFiles(IFileSystem files, StorageOptions options)
    {
        _files = files;
        _options = options;
        _nextLength = options.JournalSizeBytesMin;
        Spool = new JournalSpool(files, options);
    }

    /// <summary>Keeps files for an archive, while one is wanted.</summary>
    internal JournalSpool Spool { get; }

    /// <summary>The length of all journal files.</summary>
    internal long TotalBytes => Volatile.Read(ref _totalBytes);

    /// <summary>Files made since the environment was opened.</summary>
    internal long CreatedCount { get; private set; }

    /// <summary>Files used again since the environment was opened.</summary>
    internal long RecycledCount { get; private set; }

    /// <summary>
    /// Takes over the files in the folder when nothing in them is needed anymore. The process that made them may have
    /// been killed before it synced them; after this their lengths and blocks are durable.
    /// </summary>
    internal void AdoptAll()
    {
        foreach (string name in _files.List())
        {
            if (JournalName.TryParse(name, out long number))
            {
                _lastNumber = Math.Max(_lastNumber, number);
                JournalFile file = Adopt(name, number);
                _totalBytes += file.LengthBytes;
                Give(file);
            }
        }
    }

    private JournalFile Adopt(string name, long number)
    {
        IFile file = _files.Open(name, OpenMode);
        try
        {
            file.Sync();
            long length = file.Length / Alignment * Alignment;
            return new JournalFile(file, number, length) { WrittenBytes = length };
        }
        catch
        {
            file.Dispose();
            throw;
        }
    }

    /// <summary>A file with room for so many bytes, whose name and blocks are durable.</summary>
    internal JournalFile Take(long bytes, long incarnation)
    {
        JournalFile? file;
        lock (_lock)
        {
            file = _spares.Find(spare => spare.LengthBytes >= bytes);
            _ = file is not null && _spares.Remove(file);
        }

        if (file is null)
        {
            file = CreateThatFits(JournalRecordHeader.AlignUp(bytes));
            CreatedCount++;
            _options.Hooks.Mark(CoverageMark.JournalCreated);
        }
        else
        {
            RecycledCount++;
            _options.Hooks.Mark(CoverageMark.JournalRecycled);
        }

        file.Incarnation = incarnation;
        file.Offset = 0;
        file.AppliedBytes = 0;
        file.Next = null;
        return file;
    }

    /// <summary>
    /// Takes a file back. It is deleted if it is shorter than the next would be, or if enough files are kept.
    /// </summary>
    internal void Give(JournalFile file)
    {
        lock (_lock)
        {
            bool fits = file.LengthBytes >= Math.Min(_nextLength, _options.JournalSizeBytesMax)
                && file.LengthBytes <= _options.JournalSizeBytesMax;
            if (fits && _spares.Count < SparesMax)
            {
                _spares.Add(file);
                return;
            }
        }

        file.Dispose();
        Interlocked.Add(ref _totalBytes, -file.LengthBytes);
        _files.Delete(file.Handle.Name);
    }

    /// <summary>A file has another name now, and is no file of the journal anymore.</summary>
    internal void Forget(JournalFile file) => Interlocked.Add(ref _totalBytes, -file.LengthBytes);

    public void Dispose()
    {
        lock (_lock)
        {
            _spares.ForEach(file => file.Dispose());
            _spares.Clear();
        }
    }

    private const int Alignment = JournalRecordHeader.AlignmentBytes;

    private FileOpenMode OpenMode => _options.Durability == StorageDurability.Durable
        ? FileOpenMode.Direct | FileOpenMode.WriteThrough
        : FileOpenMode.Existing;

    /// <summary>
    /// Creates a file of the next length, or on a nearly full disk a shorter one: a delete, which makes room again,
    /// needs a record too.
    /// </summary>
    private JournalFile CreateThatFits(long needed)
    {
        long wished = Math.Max(needed, _nextLength);
        long least = Math.Max(needed, _options.JournalSizeBytesMin);
        for (long length = wished; ;)
        {
            try
            {
                JournalFile file = Create(length);
                _nextLength = length == wished ? Math.Min(_nextLength * 2, _options.JournalSizeBytesMax) : _nextLength;
                return file;
            }
            catch (StorageIOException failure) when (failure.IsDiskFull)
            {
                if (length > needed)
                {
                    length = length > least ? least : needed;
                }
                else if (!Spool.TryMakeRoom())
                {
                    throw;
                }
            }
        }
    }

    /// <summary>
    /// Creates a file with all of its blocks reserved; <see cref="JournalWriter"/> writes them ahead.
    /// </summary>
    private JournalFile Create(long length)
    {
        long number = ++_lastNumber;
        string name = JournalName.Of(number);
        try
        {
            using (IFile file = _files.Open(name, FileOpenMode.Create))
            {
                file.Preallocate(length);
                file.Sync();
            }

            _files.SyncDirectory();
            var made = new JournalFile(_files.Open(name, OpenMode), number, length);
            Interlocked.Add(ref _totalBytes, length);
            return made;
        }
        catch (StorageIOException)
        {
            DeleteQuietly(name);
            throw;
        }
    }

    private void DeleteQuietly(string name)
    {
        try
        {
            _files.Delete(name);
        }
        catch (StorageIOException)
        {
            // The failure that led here is the one to report; the next open takes over the file or deletes it.
        }
    }
}
