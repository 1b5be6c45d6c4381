using System.Runtime.InteropServices;
using Raven.Storage.Journal;
using Raven.Storage.Platform;

namespace Raven.Storage.Log;

/// <summary>A commit on its way to the journal, as a gate sees it; of use during <see cref="ICommitGate.Take"/> only.
/// </summary>
public readonly ref struct CommitShipment
{
    private readonly CommitRecord _record;
    private readonly DirtyPages _dirty;
    private readonly LogRecordHeader _header;

    internal CommitShipment(CommitRecord record, DirtyPages dirty, ulong previousLogHash)
    {
        _record = record;
        _dirty = dirty;
        _header = LogRecordHeader.Of(record.Header, previousLogHash);
        for (int i = 0; i < dirty.Count; i++)
        {
            ref DirtyPage page = ref dirty[i];
            _header.FreedCount += page.Place.IsEmpty ? 1 : 0;
            _header.DirectBytes += page.IsDirect ? page.Place.Length : 0;
        }
    }

    /// <summary>Where it leaves the log.</summary>
    public LogPosition Position => _header.Position;

    /// <summary>The hash of the log before it; 0 if the log begins with it.</summary>
    public ulong PreviousLogHash => _header.PreviousLogHash;

    /// <summary>The bytes of its log record.</summary>
    public int SizeInBytes => (int)RecordBytes;

    /// <summary>The same; more than an array has are refused before a gate sees them.</summary>
    internal long RecordBytes => _header.RecordBytes;

    /// <summary>Writes its log record, which a follower takes as it is.</summary>
    /// <param name="target">Room for <see cref="SizeInBytes"/> bytes.</param>
    public void CopyTo(Span<byte> target)
    {
        target = target[..SizeInBytes];
        Span<byte> rest = target[LogRecordHeader.SizeInBytes..];
        _record.Bytes.Slice(JournalRecordHeader.SizeInBytes, _header.StoredBytes).CopyTo(rest);
        rest = rest[_header.StoredBytes..];
        for (int i = 0; i < _dirty.Count; i++)
        {
            if (_dirty[i].Place.IsEmpty)
            {
                MemoryMarshal.Write(rest, in _dirty[i].Page);
                rest = rest[sizeof(long)..];
            }
        }

        for (int i = 0; i < _dirty.Count; i++)
        {
            ref DirtyPage page = ref _dirty[i];
            if (page.IsDirect)
            {
                page.Place.Span.CopyTo(rest);
                rest = rest[page.Place.Length..];
            }
        }

        LogRecordHeader header = _header;
        header.Seal(target);
    }
}
