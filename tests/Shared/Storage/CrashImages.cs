namespace Shared.Storage;

/// <summary>
/// Follows a log of operations and makes what a disk may hold after a power cut: all that was durable, and any part of
/// the rest, in sectors that are old, new or (1 in 16) garbage. The images end with this.
/// </summary>
internal sealed class CrashImages(IReadOnlyList<DiskOperation> log) : IDisposable
{
    private const int JournalSectorBytes = 512;
    private const int DataSectorBytes = 4096;
    private const int GarbageOneIn = 16;

    private readonly Dictionary<int, FileBytes> _durableContent = [];
    private readonly Dictionary<string, int> _durableNames = [];
    private readonly List<DiskOperation> _pending = [];

    /// <summary>Files whose durable bytes no image shares: these are written in place. Copying at every commit was a
    /// third of what a crash test took.</summary>
    private readonly HashSet<int> _unshared = [];
    private readonly Dictionary<DiskImage, List<FileBytes>> _inUse = [];
    private readonly Dictionary<FileBytes, int> _marks = [];
    private readonly Stack<FileBytes> _idle = [];
    private int _position;

    /// <summary>Starts from an image instead of an empty disk, which is this object's from then on; file numbers as the
    /// file system gave them.</summary>
    internal CrashImages(IReadOnlyList<DiskOperation> log, DiskImage start, Func<string, int> numberOf)
        : this(log)
    {
        foreach ((string name, FileBytes content) in start.Files)
        {
            _durableNames[name] = numberOf(name);
            _durableContent[numberOf(name)] = content;
        }
    }

    /// <summary>An image is made in the durable bytes themselves, which <see cref="Recycle"/> brings back: one image at
    /// a time, and nothing else before that.</summary>
    internal bool IsOneAtATime { get; init; }

    /// <summary>Operations that are not durable when <see cref="AdvanceTo"/> returns.</summary>
    internal IReadOnlyList<DiskOperation> Pending => _pending;

    /// <summary>Moves to the moment when so many operations had been asked for, the last of them not yet
    /// done.</summary>
    internal void AdvanceTo(int cut)
    {
        while (_position < cut)
        {
            if (_position > 0)
            {
                Settle(log[_position - 1]);
            }

            DiskOperation next = log[_position++];
            if (next.Kind
                is not (DiskOperationKind.Sync or DiskOperationKind.LostSync or DiskOperationKind.SyncDirectory))
            {
                _pending.Add(next);
            }
        }
    }

    /// <summary>Moves behind the last operation, which is done.</summary>
    internal void AdvanceToEnd()
    {
        AdvanceTo(log.Count);
        if (_position > 0)
        {
            Settle(log[_position - 1]);
        }
    }

    /// <summary>One of the images that a power cut at this moment may leave.</summary>
    internal DiskImage Make(Random random) => Make(random, random.Next(4));

    /// <summary>An image by its number: all was done, nothing was, and from then on by chance parts of the sectors or,
    /// each fourth time, of the operations.</summary>
    internal DiskImage MakeNumber(long number, Random random) =>
        Make(random, mode: number < 2 ? (int)number : number % 4 == 2 ? 2 : 3);

    /// <summary>Takes back an image that is no longer used: its memory is that of the next one.</summary>
    internal void Recycle(DiskImage image)
    {
        if (!_inUse.Remove(image, out List<FileBytes>? own))
        {
            return;
        }

        own.ForEach(_idle.Push);
        foreach ((FileBytes file, int mark) in _marks)
        {
            file.BackTo(mark);
        }

        _marks.Clear();
        if (_inUse.Count == 0)
        {
            _unshared.UnionWith(_durableContent.Keys);
        }
    }

    /// <summary>Gives back the memory of all images.</summary>
    public void Dispose()
    {
        foreach (FileBytes file in _durableContent.Values.Concat(_idle).Concat(_inUse.Values.SelectMany(own => own)))
        {
            file.Dispose();
        }
    }

    /// <summary>Sectors of all pending writes.</summary>
    internal int PendingSectors() => _pending.Sum(SectorsOf);

    /// <summary>The image in which exactly the pending sectors (and other operations) of a bit mask were
    /// done.</summary>
    internal DiskImage MakeExactly(long mask)
    {
        int next = 0;
        return Make(
            operation =>
            {
                int first = next;
                next += SectorsOf(operation);
                return sector => Fate((mask & (1L << (first + sector))) != 0);
            },
            new Random(0));
    }

    private static int SectorsOf(DiskOperation operation) => operation.Kind == DiskOperationKind.Write
        ? (operation.Data!.Length + SectorBytes(operation) - 1) / SectorBytes(operation)
        : 1;

    private static int SectorBytes(DiskOperation write) =>
        write.IsWriteThrough || write.Data!.Length <= JournalSectorBytes ? JournalSectorBytes : DataSectorBytes;

    private static SectorFate Fate(bool isKept) => isKept ? SectorFate.New : SectorFate.Old;

    private static Func<int, SectorFate> Same(SectorFate fate) => _ => fate;

    private DiskImage Make(Random random, int mode)
    {
        double keep = mode switch { 0 => 1.0, 1 => 0.0, 2 => 0.5, _ => random.NextDouble() };
        return Make(operation => operation.Kind == DiskOperationKind.Write && mode == 3
            ? sector => random.Next(GarbageOneIn) == 0 ? SectorFate.Garbage : Fate(random.NextDouble() < keep)
            : Same(Fate(random.NextDouble() < keep)), random);
    }

    private DiskImage Make(Func<DiskOperation, Func<int, SectorFate>> fateOf, Random random)
    {
        if (IsOneAtATime && _inUse.Count > 0)
        {
            throw new InvalidOperationException("The image before was not given back.");
        }

        var content = new Dictionary<int, FileBytes>(_durableContent);
        var names = new Dictionary<string, int>(_durableNames);
        var copied = new HashSet<int>();
        foreach (DiskOperation operation in _pending)
        {
            Func<int, SectorFate> fate = fateOf(operation);
            if (operation.Kind == DiskOperationKind.Write)
            {
                WriteSectors(content, copied, operation, fate, random);
            }
            else if (fate(0) == SectorFate.New)
            {
                Apply(content, names, copied, operation);
            }
        }

        _unshared.Clear();
        List<FileBytes> own = [.. copied.Select(file => content[file])];
        var image = new DiskImage();
        foreach ((string name, int file) in names)
        {
            if (!content.TryGetValue(file, out FileBytes? bytes))
            {
                own.Add(bytes = new FileBytes());
            }

            image.Files.Add(name, bytes);
        }

        _inUse.Add(image, own);
        return image;
    }

    private void WriteSectors(
        Dictionary<int, FileBytes> content,
        HashSet<int> copied,
        DiskOperation write,
        Func<int, SectorFate> fate,
        Random random)
    {
        byte[] data = write.Data!;
        int size = SectorBytes(write);
        for (int sector = 0; sector * size < data.Length; sector++)
        {
            SectorFate what = fate(sector);
            if (what == SectorFate.Old)
            {
                continue;
            }

            int length = Math.Min(size, data.Length - sector * size);
            long offset = write.Offset + sector * size;
            FileBytes target = Writable(content, copied, write.File);
            if (what == SectorFate.Garbage)
            {
                byte[] garbage = new byte[length];
                random.NextBytes(garbage);
                target.Write((int)offset, garbage);
            }
            else
            {
                target.Write((int)offset, data.AsSpan(sector * size, length));
            }
        }
    }

    /// <summary>The bytes of a file, to write them.</summary>
    private FileBytes Writable(Dictionary<int, FileBytes> content, HashSet<int> copied, int file)
    {
        FileBytes? present = content.GetValueOrDefault(file);
        if (present is not null && copied.Contains(file))
        {
            return present;
        }

        if (present is not null && IsOneAtATime && !ReferenceEquals(content, _durableContent))
        {
            if (!_marks.ContainsKey(present))
            {
                _marks.Add(present, present.Mark());
            }

            return present;
        }

        FileBytes copy = _idle.TryPop(out FileBytes? idle) ? idle : new FileBytes();
        copy.SetTo(present is null ? default : present.Span);
        copied.Add(file);
        return content[file] = copy;
    }

    private void Apply(
        Dictionary<int, FileBytes> content, Dictionary<string, int> names, HashSet<int> copied, DiskOperation operation)
    {
        switch (operation.Kind)
        {
            case DiskOperationKind.Write:
                Writable(content, copied, operation.File).Write((int)operation.Offset, operation.Data);
                break;
            case DiskOperationKind.SetLength:
                Writable(content, copied, operation.File).SetLength((int)operation.Offset);
                break;
            case DiskOperationKind.Create:
                names[operation.Name] = operation.File;
                break;
            case DiskOperationKind.Rename:
                // A folder's entry names an inode: a rename that survives without the deletion before it is still one
                // of the file that was renamed, not of the older file of that name.
                if (names.TryGetValue(operation.Name, out int file) && file == operation.File)
                {
                    names.Remove(operation.Name);
                }

                names[operation.NewName] = operation.File;
                break;
            case DiskOperationKind.Delete:
                names.Remove(operation.Name);
                break;
        }
    }

    /// <summary>The operation is done: what it made durable is no longer pending.</summary>
    private void Settle(DiskOperation done)
    {
        switch (done.Kind)
        {
            case DiskOperationKind.Sync:
                MakeDurable(operation => IsContentOf(done.File, operation));
                break;
            case DiskOperationKind.LostSync:
                _pending.RemoveAll(operation => IsContentOf(done.File, operation));
                break;
            case DiskOperationKind.SyncDirectory:
                MakeDurable(operation => operation.Folder == done.Folder && operation.Kind
                    is DiskOperationKind.Create or DiskOperationKind.Rename or DiskOperationKind.Delete);
                break;
            case DiskOperationKind.Write when done.IsWriteThrough:
                MakeDurable(operation => ReferenceEquals(operation, done));
                break;
        }
    }

    private static bool IsContentOf(int file, DiskOperation operation) =>
        operation.File == file && operation.Kind is DiskOperationKind.Write or DiskOperationKind.SetLength;

    private void MakeDurable(Predicate<DiskOperation> isDurable)
    {
        foreach (DiskOperation operation in _pending.Where(operation => isDurable(operation)))
        {
            Apply(_durableContent, _durableNames, _unshared, operation);
        }

        _pending.RemoveAll(isDurable);
    }

    private enum SectorFate
    {
        Old,
        New,
        Garbage,
    }
}
