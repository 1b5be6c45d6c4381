using System.IO.Hashing;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Raven.Blittable.Memory;
using Raven.Storage.Errors;
using Raven.Storage.Files;
using Raven.Storage.Options;

namespace Raven.Storage.Paging;

// DATA-1  Pages 0 and 1 hold the two headers, page 2 the first part of the free-space map.
// DATA-2  The header names only states that were synced before it was written.
// DATA-3  A page is read through the file and its hash checked once; after that it is read through the map.
// DATA-4  The map only ever grows, by a larger map beside the older ones, so that a reader's slices stay valid.

/// <summary>The file of pages: read through a map, written by positional writes. Reading: any thread.</summary>
internal sealed class DataFile : IDisposable
{
    internal const string Name = "data.voron";
    internal const string UnfinishedName = "data.voron.new";
    internal const string DeltaMarkName = "delta.on";
    internal const long FirstUsablePage = 3;

    private const int PageSize = PageHeader.PageSizeInBytes;
    private const long GrowthBytesMin = 64L << 10;
    private const long GrowthBytesMax = 64L << 20;
    private const long MapBytesMin = 16L << 20;
    private const int WriteBackBytes = 256 << 10;

    private readonly IFile _file;
    private readonly StorageHooks _hooks;
    private readonly Lock _growth = new();
    private readonly Lock _syncing = new();
    private readonly List<MemoryMap> _olderMaps = [];
    private MemoryMap _map;
    private long[] _verified;
    private PageCheck? _idleCheck;
    private StorageIOException? _failedSync;
    private StorageCorruptedException? _damage;
    private FileHeader _header;
    private long _length;

    private DataFile(IFile file, FileHeader header, StorageHooks hooks)
    {
        _hooks = hooks;
        _file = file;
        _header = header;
        _length = file.Length;
        _map = file.MapReadOnly(MapSizeFor(_length));
        _verified = new long[WordsFor(_map.Length)];
    }

    internal ulong EnvironmentId => _header.EnvironmentId;

    /// <summary>The state that the last durable header names.</summary>
    internal ref readonly CommitPoint Applied => ref _header.Point;

    internal long LengthBytes => Volatile.Read(ref _length);

    /// <summary>The finding of the first read of a damaged page; null if no such page was read.</summary>
    internal StorageCorruptedException? Damage => Volatile.Read(ref _damage);

    /// <summary>
    /// The copy of the header that was not whole when the file was opened, as a sentence; null if both were. What
    /// writes the next header writes it over that copy.
    /// </summary>
    internal string? HeaderFinding { get; private init; }

    /// <summary>
    /// True for a file that is to stay small: it grows by what is needed, in multiples of 64 KB, not ahead. Set before
    /// the first commit.
    /// </summary>
    internal bool GrowsAsNeeded { get; set; }

    /// <summary>Bytes by which a file of this length grows: half of it, within fixed bounds.</summary>
    internal static long GrowthFor(long length) =>
        Math.Clamp(length / 2 / GrowthBytesMin * GrowthBytesMin, GrowthBytesMin, GrowthBytesMax);

    /// <summary>Makes an environment's files if there are none.</summary>
    internal static void CreateIfNew(StorageOptions options)
    {
        IFileSystem files = options.FileSystem;
        if (files.Exists(UnfinishedName))
        {
            files.Delete(UnfinishedName);
        }

        if (!files.Exists(Name))
        {
            // After a close, or with an archive, there may be no journal: what is archived tells then.
            if (files.List().FirstOrDefault(IsOfEnvironment) is { } left)
            {
                throw new StorageCorruptedException(Name, -1, $"is missing, but its {left} is there.");
            }

            Create(files, options);
        }
    }

    private static bool IsOfEnvironment(string name) =>
        JournalName.TryParse(name, out _) || ArchiveName.TryParse(name, out _) || name == ArchiveName.Marker;

    /// <summary>Makes an empty data file under its final name, whole or not at all.</summary>
    private static void Create(IFileSystem files, StorageOptions options)
    {
        ulong environmentId = options.NewEnvironmentId;
        using (IFile file = files.Open(UnfinishedName, FileOpenMode.Create))
        {
            file.SetLength(0);
            file.Preallocate(GrowthBytesMin);
            byte[] page = new byte[PageSize];
            var header = new FileHeader { EnvironmentId = environmentId };
            header.Point.NextPageNumber = FirstUsablePage;
            header.Point.JournalIncarnation = 1;
            for (header.Counter = 0; header.Counter < 2; header.Counter++)
            {
                header.WriteTo(page);
                file.WriteAt(FileHeader.OffsetOf(header.Counter), page);
            }

            page.AsSpan().Clear();
            var first = new PageHeader { PageNumber = 2, Kind = PageKind.FreeSpace };
            MemoryMarshal.Write(page, in first);
            Seal(page, environmentId);
            file.WriteAt(2L * PageSize, page);
            file.Sync();
        }

        files.Rename(UnfinishedName, Name);
        files.SyncDirectory();
    }

    /// <summary>Opens the file and reads its newest whole header.</summary>
    internal static DataFile Open(StorageOptions options, string name = Name)
    {
        IFile file = options.FileSystem.Open(name, FileOpenMode.Existing);
        try
        {
            FileHeader header = ReadHeader(file, options, out string? finding);
            return new DataFile(file, header, options.Hooks) { HeaderFinding = finding };
        }
        catch
        {
            file.Dispose();
            throw;
        }
    }

    /// <summary>The page, or its whole run.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal NativeSlice GetPage(long page)
    {
        long[] verified = Volatile.Read(ref _verified);
        int word = (int)(page >> 6);
        if ((uint)word >= (uint)verified.Length || (verified[word] & (1L << (int)page)) == 0)
        {
            Verify(page);
        }

        MemoryMap map = Volatile.Read(ref _map);
        NativeSlice first = map.Slice(page * PageSize, PageSize);
        int run = MemoryMarshal.AsRef<PageHeader>(first.Span).RunLengthBytes;
        return run == 0 ? first : map.Slice(page * PageSize, PageHeader.PagesForRun(run) * PageSize);
    }

    /// <summary>Reads a run through the file, without its hash being checked.</summary>
    internal int ReadAt(long page, Span<byte> target) => _file.ReadAt(page * PageSize, target);

    /// <summary>Extends file and map so that pages below <paramref name="nextPageNumber"/> can be written.</summary>
    internal void EnsureLength(long nextPageNumber)
    {
        long needed = nextPageNumber * PageSize;
        if (needed <= LengthBytes)
        {
            return;
        }

        lock (_growth)
        {
            if (_length < needed)
            {
                _hooks.Mark(CoverageMark.DataFileGrew);
            }

            while (_length < needed)
            {
                long length = GrowByStep(needed);

                // The map first: a thread that sees the length reads through the map, and mapping may fail. The first
                // step maps the final length, as older maps are kept.
                GrowMap(Math.Max(length, needed));
                Volatile.Write(ref _length, length);
            }
        }
    }

    /// <summary>
    /// One step: a whole one, or on a nearly full disk only as much as is needed. If the disk has no room for all
    /// steps, the file keeps what the steps before took.
    /// </summary>
    private long GrowByStep(long needed)
    {
        long least = (needed + GrowthBytesMin - 1) / GrowthBytesMin * GrowthBytesMin;
        long length = _length + GrowthFor(_length);
        length = GrowsAsNeeded ? Math.Min(least, length) : length;
        try
        {
            _file.Preallocate(length);
            return length;
        }
        catch (StorageIOException failure) when (failure.IsDiskFull)
        {
            return GrowToLeast(Math.Min(least, length), least);
        }
    }

    private long GrowToLeast(long length, long least)
    {
        try
        {
            _file.Preallocate(length);
            return length;
        }
        catch (StorageIOException failure) when (failure.IsDiskFull)
        {
            throw new StorageIOException(
                Name, "growing", failure.ErrorNumber,
                $"the disk is full: the file has {_length} bytes and has to have {least}, {least - _length} more");
        }
    }

    /// <summary>Writes whole pages, already sealed.</summary>
    internal void WritePages(long page, ReadOnlySpan<byte> pages) => _file.WriteAt(page * PageSize, pages);

    /// <summary>
    /// Seals and writes a run. Its hash needs no check at the next read, as it was just computed of these bytes. The
    /// start of a long run, which has the checksum, is written last: the device writes the rest while that is hashed,
    /// and all of it while the pieces are hashed for the record.
    /// </summary>
    internal void WriteSealing(long page, Span<byte> run)
    {
        long offset = page * PageSize;
        bool isLong = run.Length > WriteBackBytes;
        for (int done = WriteBackBytes; done < run.Length; done += WriteBackBytes)
        {
            WriteAndBegin(offset + done, run[done..Math.Min(done + WriteBackBytes, run.Length)]);
        }

        Seal(run, EnvironmentId);
        if (isLong)
        {
            WriteAndBegin(offset, run[..WriteBackBytes]);
        }
        else
        {
            _file.WriteAt(offset, run);
        }

        SetVerified(page);
    }

    private void WriteAndBegin(long offset, ReadOnlySpan<byte> bytes)
    {
        _file.WriteAt(offset, bytes);
        _file.BeginWriteBack(offset, bytes.Length);
    }

    /// <summary>Puts the checksum into a page or run before it is written to the file.</summary>
    internal static void Seal(Span<byte> run, ulong environmentId) =>
        MemoryMarshal.AsRef<PageHeader>(run).Checksum = ChecksumOf(run, environmentId);

    internal static ulong ChecksumOf(ReadOnlySpan<byte> run, ulong environmentId) =>
        XxHash3.HashToUInt64(run[sizeof(ulong)..], (long)environmentId);

    /// <summary>
    /// Syncs, one caller after the other. The system reports a failed write once for each open file: of two
    /// concurrent syncs one may fail and the other succeed although its writes are lost as well. So none succeeds
    /// after a failed one.
    /// </summary>
    internal void Sync()
    {
        lock (_syncing)
        {
            if (_failedSync is not null)
            {
                throw new StorageIOException(Name, "syncing", _failedSync.ErrorNumber, "an earlier sync failed");
            }

            try
            {
                _file.Sync();
            }
            catch (StorageIOException failure)
            {
                _failedSync = failure;
                throw;
            }
        }
    }

    /// <summary>Makes a synced state the one that the next open begins with. One caller at a time.</summary>
    internal void WriteHeader(in CommitPoint point)
    {
        FileHeader header = _header;
        header.Counter++;
        header.Point = point;
        Span<byte> sector = stackalloc byte[FileHeader.SizeInBytes];
        header.WriteTo(sector);
        _file.WriteAt(FileHeader.OffsetOf(header.Counter), sector);
        Sync();
        _hooks.Mark((header.Counter & 1) == 0 ? CoverageMark.HeaderAWritten : CoverageMark.HeaderBWritten);
        _header = header;
    }

    public void Dispose()
    {
        _idleCheck?.Dispose();
        _map.Dispose();
        _olderMaps.ForEach(map => map.Dispose());
        _file.Dispose();
    }

    private static FileHeader ReadHeader(IFile file, StorageOptions options, out string? finding)
    {
        finding = null;
        byte[] sector = new byte[FileHeader.SizeInBytes];
        FileHeader newest = default;
        bool found = false;
        int newerVersion = 0;
        bool isNewerWhole = false;
        for (long counter = 0; counter < 2; counter++)
        {
            sector.AsSpan().Clear();
            _ = file.ReadAt(FileHeader.OffsetOf(counter), sector);
            bool isWhole = FileHeader.TryRead(sector, out FileHeader header);
            if (header.Magic == FileHeader.MagicValue && header.FormatVersion > FileHeader.CurrentVersion)
            {
                newerVersion = header.FormatVersion;
                isNewerWhole |= isWhole;
            }
            else if (isWhole && (header.Counter & 1) == counter && (!found || header.Counter > newest.Counter))
            {
                found = true;
                newest = header;
            }

            // Both copies were written before the file got its name: a copy of zeros is not whole either.
            if (!isWhole || (header.Counter & 1) != counter)
            {
                finding = $"{Name}: header copy {(counter == 0 ? "A" : "B")} is not whole; the other is used: a crash "
                    + "while it was written, or damage";
            }
        }

        if (found && finding is not null)
        {
            options.Report(isWarning: true, $"{finding}.");
        }

        // In a copy that is not whole the version may be damaged; a whole one is of a newer build, which left
        // the other.
        if (newerVersion > 0 && (!found || isNewerWhole))
        {
            throw new StorageVersionException(Name, newerVersion, FileHeader.CurrentVersion);
        }

        if (!found)
        {
            throw new StorageCorruptedException(Name, 0, "neither of the two file headers is whole.");
        }

        if (newest.PageSizeBytes != PageSize || newest.Point.NextPageNumber < FirstUsablePage)
        {
            throw new StorageCorruptedException(
                Name, FileHeader.OffsetOf(newest.Counter), "the header makes no sense.");
        }

        if (file.Length < FirstUsablePage * PageSize)
        {
            throw new StorageCorruptedException(Name, file.Length, "the file ends before its first pages.");
        }

        return newest;
    }

    private static long MapSizeFor(long length)
    {
        long size = MapBytesMin;
        while (size < length)
        {
            size *= 2;
        }

        return size;
    }

    /// <summary>A bit for each page: 8 bytes for half a megabyte of the file.</summary>
    internal static int WordsFor(long mapBytes) => checked((int)(mapBytes / PageSize / 64));

    private void GrowMap(long fileBytes)
    {
        if (_map.Length >= fileBytes)
        {
            return;
        }

        MemoryMap larger = _file.MapReadOnly(MapSizeFor(fileBytes));
        long[] verified = new long[WordsFor(larger.Length)];
        _verified.CopyTo(verified, 0);
        _olderMaps.Add(_map);
        Volatile.Write(ref _map, larger);
        Volatile.Write(ref _verified, verified);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void Verify(long page)
    {
        if (page < 2 || (page + 1) * PageSize > LengthBytes)
        {
            throw new StorageCorruptedException(Name, page * PageSize, $"there is no page {page}.");
        }

        PageCheck check = Interlocked.Exchange(ref _idleCheck, null) ?? new PageCheck(EnvironmentId);
        try
        {
            check.Run(_file, page, LengthBytes);
        }
        catch (StorageCorruptedException found)
        {
            Interlocked.CompareExchange(ref _damage, found, null);
            throw;
        }
        finally
        {
            if (Interlocked.CompareExchange(ref _idleCheck, check, null) is not null)
            {
                check.Dispose();
            }
        }

        SetVerified(page);
    }

    private void SetVerified(long page)
    {
        long[] verified = Volatile.Read(ref _verified);
        if (page >> 6 < verified.Length)
        {
            Interlocked.Or(ref verified[page >> 6], 1L << (int)page);
        }
    }
}
