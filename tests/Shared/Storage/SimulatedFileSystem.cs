using Raven.Storage.Errors;
using Raven.Storage.Files;

namespace Shared.Storage;

/// <summary>A disk in memory that logs every operation and can fail at any of them. One thread at a time.</summary>
internal sealed class SimulatedFileSystem : IFileSystem, IDisposable
{
    private const int InputOutputErrorNumber = 5;
    private const int NoMemoryNumber = 12;
    private const int TooManyFilesNumber = 24;
    private const int NoSpaceNumber = 28;

    private static readonly TimeSpan Delay = TimeSpan.FromMilliseconds(50);

    private readonly Dictionary<string, SimulatedInode> _names = [];
    private readonly List<SimulatedInode> _all = [];
    private int _calls;
    private int _looks;

    internal SimulatedFileSystem()
        : this(new DiskImage())
    {
    }

    /// <summary>
    /// A disk that holds an image; if it borrows it, in the image's own bytes, which no other code uses until the disk
    /// is disposed and they are restored.
    /// </summary>
    internal SimulatedFileSystem(DiskImage image, bool borrows = false)
    {
        LogsData = !borrows;
        var borrowed = new HashSet<FileBytes>();
        foreach ((string name, FileBytes content) in image.Files)
        {
            SimulatedInode inode = AddInode();
            if (!borrows)
            {
                inode.Share(content);
            }
            else
            {
                // Two names of one file are two files here, each with its own bytes.
                inode.Borrow(borrowed.Add(content) ? content : new FileBytes(content.Span));
            }

            _names[name] = inode;
        }
    }

    public string Description => "simulated";

    /// <summary>What was done to it.</summary>
    internal List<DiskOperation> Log { get; } = [];

    /// <summary>
    /// True if the log has what was written, to make images of it; a disk that borrows is only looked at.
    /// </summary>
    internal bool LogsData { get; }

    /// <summary>Calls that change the disk, failed ones too.</summary>
    internal int CallCount => _calls;

    /// <summary>Calls that a fault of that kind counts.</summary>
    internal int CallsOf(DiskFaultKind kind) => kind == DiskFaultKind.ReadError ? Volatile.Read(ref _looks) : _calls;

    /// <summary>What is to fail.</summary>
    internal DiskFault? Fault { get; set; }

    /// <summary>Called before each write to a journal file, with its bytes.</summary>
    internal Action<int>? BeforeJournalWrite { get; set; }

    /// <summary>
    /// The ranges that the system was asked to begin writing, and behind how many operations of the log.
    /// </summary>
    internal List<(int Behind, long Offset, long Length)> WriteBacks { get; } = [];

    /// <summary>The time of this disk, which passes by delays alone.</summary>
    internal ManualClock Clock { get; } = new();

    /// <summary>True once a fault has happened.</summary>
    internal bool HasFailed { get; private set; }

    /// <summary>Files that were opened and are not closed.</summary>
    internal int OpenFiles { get; set; }

    internal int NumberOf(string name) => _names[name].Number;

    /// <summary>What a reader sees now, durable or not.</summary>
    internal DiskImage CurrentImage() =>
        new() { Files = _names.ToDictionary(name => name.Key, name => new FileBytes(name.Value.Bytes)) };

    public bool Exists(string name)
    {
        BeforeLook(name, "looking for it");
        return _names.ContainsKey(name);
    }

    public IReadOnlyList<string> List()
    {
        BeforeLook("folder", "listing");
        return [.. _names.Keys];
    }

    public IFile Open(string name, FileOpenMode mode)
    {
        if (!_names.TryGetValue(name, out SimulatedInode? inode))
        {
            if (!mode.HasFlag(FileOpenMode.Create))
            {
                throw new StorageIOException(name, "opening", 2, "No such file");
            }

            Before(name, "creating", needsSpace: true);
            inode = AddInode();
            _names[name] = inode;
            Log.Add(new DiskOperation(DiskOperationKind.Create, inode.Number, name));
        }
        else
        {
            BeforeLook(name, "opening", TooManyFilesNumber, "Too many open files");
        }

        OpenFiles++;
        return new SimulatedFile(this, inode, name, mode);
    }

    public void Rename(string from, string to)
    {
        Before(from, "renaming", needsSpace: false);
        _names.Remove(from, out SimulatedInode? inode);
        _names[to] = inode!;
        Log.Add(new DiskOperation(DiskOperationKind.Rename, inode!.Number, from, to));
    }

    public void Delete(string name)
    {
        Before(name, "deleting", needsSpace: false);
        if (_names.Remove(name, out SimulatedInode? inode))
        {
            Log.Add(new DiskOperation(DiskOperationKind.Delete, inode.Number, name));
        }
    }

    public void SyncDirectory() => SyncDirectory("");

    /// <summary>Syncs what files a folder has: those whose names begin with its own, which ends with a slash.</summary>
    internal void SyncDirectory(string folder)
    {
        Before("folder", "syncing the folder", needsSpace: false);
        Log.Add(new DiskOperation(DiskOperationKind.SyncDirectory, Name: folder));
    }

    public void Dispose() => _all.ForEach(inode => inode.Dispose());

    /// <summary>Counts a call, and fails it if its turn has come.</summary>
    /// <returns>The fault that the caller itself must play out, if any.</returns>
    internal DiskFaultKind? Before(
        string file, string operation, bool needsSpace, bool isWrite = false, bool isSync = false)
    {
        int call = _calls++;
        if (Fault is not { } fault || (fault.IsSticky ? call < fault.AtCall : call != fault.AtCall))
        {
            return null;
        }

        switch (fault.Kind)
        {
            case DiskFaultKind.DiskFull when needsSpace:
                HasFailed = true;
                throw new StorageIOException(file, operation, NoSpaceNumber, "No space left on device");
            case DiskFaultKind.Delay:
                HasFailed = true;
                Clock.Advance(Delay);
                return null;
            case DiskFaultKind.ShortWrite when isWrite:
            case DiskFaultKind.FlippedBit when isWrite && !HasFailed:
            case DiskFaultKind.LostSync when isSync:
                HasFailed = true;
                return fault.Kind;
            case DiskFaultKind.InputOutputError:
                HasFailed = true;
                throw Error(file, operation);
            default:
                return null;
        }
    }

    internal void BeforeMap(string file) => BeforeLook(file, "mapping", NoMemoryNumber, "Cannot allocate memory");

    internal static StorageIOException Error(string file, string operation) =>
        new(file, operation, InputOutputErrorNumber, "Input/output error");

    /// <summary>Counts a call that changes nothing, and fails it if its turn has come. Any thread.</summary>
    internal void BeforeLook(
        string file, string operation, int errorNumber = InputOutputErrorNumber, string reason = "Input/output error")
    {
        int look = Interlocked.Increment(ref _looks) - 1;
        if (Fault is { Kind: DiskFaultKind.ReadError } fault
            && (fault.IsSticky ? look >= fault.AtCall : look == fault.AtCall))
        {
            HasFailed = true;
            throw new StorageIOException(file, operation, errorNumber, reason);
        }
    }

    private SimulatedInode AddInode()
    {
        var inode = new SimulatedInode(_all.Count + 1);
        _all.Add(inode);
        return inode;
    }
}
