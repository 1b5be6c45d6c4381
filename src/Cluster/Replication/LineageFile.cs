using System.Buffers.Binary;
using System.IO.Hashing;
using Raven.Storage.Errors;
using Raven.Storage.Files;

namespace Raven.Cluster.Replication;

//   OFFSET  SIZE  FIELD
//        0     8  XXH3-64 of all that follows
//        8     8  "RAVNLINE"
//       16     4  1, the version
//       20     4  how many histories follow
//       24        for each: int64 the transaction that it begins with, uint64 its lineage
//
//   LINEAGE-1  A history is noted before the first transaction of it is written, and counts as soon as the state before
//              that transaction is there.
//   LINEAGE-2  Before pages of another node are written, its histories are noted: a folder that has some of them is of
//              the last one.

/// <summary>Which histories the files of a folder have had, so that it can be seen while they are closed.</summary>
internal sealed class LineageFile
{
    internal const string Name = "lineage.raven";

    private const string NewName = Name + ".new";
    private const int HeadBytes = 24;
    private const int EntryBytes = 16;
    private const int CountMax = 1 << 16;
    private const int Version = 1;
    private const ulong Magic = 0x454E494C4E564152;

    private readonly List<(long From, ulong Lineage)> _histories = [];

    /// <summary>The histories, the oldest first.</summary>
    internal IReadOnlyList<(long From, ulong Lineage)> Histories => _histories;

    /// <summary>Reads what a folder has; nothing if it has no such file.</summary>
    /// <exception cref="StorageCorruptedException">The file is not whole.</exception>
    internal static LineageFile Read(IFileSystem files)
    {
        if (!files.Exists(Name))
        {
            return new LineageFile();
        }

        using IFile file = files.Open(Name, FileOpenMode.Existing);
        long length = Math.Min(file.Length, HeadBytes + ((long)CountMax * EntryBytes));
        byte[] bytes = new byte[length];
        int read = file.ReadAt(0, bytes);
        return TryParse(bytes.AsSpan(0, read)) ?? throw new StorageCorruptedException(
            Name, 0, "it does not have its hash: the history of the database is not known. If it is removed, all "
                + "pages are copied from the primary again.");
    }

    /// <summary>Takes the bytes apart; null if they are none, or not whole.</summary>
    internal static LineageFile? TryParse(ReadOnlySpan<byte> bytes)
    {
        if (bytes.Length < HeadBytes || BinaryPrimitives.ReadUInt64LittleEndian(bytes[8..]) != Magic
            || BinaryPrimitives.ReadInt32LittleEndian(bytes[16..]) != Version
            || BinaryPrimitives.ReadUInt64LittleEndian(bytes) != XxHash3.HashToUInt64(bytes[8..])
            || bytes.Length != HeadBytes + ((long)BinaryPrimitives.ReadUInt32LittleEndian(bytes[20..]) * EntryBytes))
        {
            return null;
        }

        var file = new LineageFile();
        for (int at = HeadBytes; at < bytes.Length; at += EntryBytes)
        {
            file._histories.Add((
                BinaryPrimitives.ReadInt64LittleEndian(bytes[at..]),
                BinaryPrimitives.ReadUInt64LittleEndian(bytes[(at + 8)..])));
        }

        return file;
    }

    internal byte[] ToBytes()
    {
        byte[] bytes = new byte[HeadBytes + (_histories.Count * EntryBytes)];
        BinaryPrimitives.WriteUInt64LittleEndian(bytes.AsSpan(8), Magic);
        BinaryPrimitives.WriteInt32LittleEndian(bytes.AsSpan(16), Version);
        BinaryPrimitives.WriteInt32LittleEndian(bytes.AsSpan(20), _histories.Count);
        for (int i = 0; i < _histories.Count; i++)
        {
            Span<byte> entry = bytes.AsSpan(HeadBytes + (i * EntryBytes));
            BinaryPrimitives.WriteInt64LittleEndian(entry, _histories[i].From);
            BinaryPrimitives.WriteUInt64LittleEndian(entry[8..], _histories[i].Lineage);
        }

        BinaryPrimitives.WriteUInt64LittleEndian(bytes, XxHash3.HashToUInt64(bytes.AsSpan(8)));
        return bytes;
    }

    /// <summary>The history of a state whose last transaction is this; 0 for none.</summary>
    /// <param name="last">The transaction.</param>
    /// <param name="previous">The history that it parted from; 0 for none.</param>
    /// <param name="forkedAt">The last transaction that both have.</param>
    internal ulong Of(long last, out ulong previous, out long forkedAt)
    {
        int count = _histories.Count;
        while (count > 0 && _histories[count - 1].From > last + 1)
        {
            count--;
        }

        previous = count > 1 ? _histories[count - 2].Lineage : 0;
        forkedAt = count > 1 ? _histories[count - 1].From - 1 : 0;
        return count > 0 ? _histories[count - 1].Lineage : 0;
    }

    /// <summary>Notes a history that begins with a transaction (LINEAGE-1); those that would begin later never did.
    /// </summary>
    internal void Begin(IFileSystem files, long from, ulong lineage)
    {
        _histories.RemoveAll(history => history.From >= from);
        _histories.Add((from, lineage));
        Write(files);
    }

    /// <summary>Replaces the file of a folder by this.</summary>
    internal void Write(IFileSystem files)
    {
        using (IFile file = files.Open(NewName, FileOpenMode.Create))
        {
            byte[] bytes = ToBytes();
            file.SetLength(0);
            file.WriteAt(0, bytes);
            file.Sync();
        }

        files.Rename(NewName, Name);
        files.SyncDirectory();
    }
}
