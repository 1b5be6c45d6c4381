using Raven.Storage.Files;
using Raven.Storage.Paging;

namespace Raven.Storage.Journal;

/// <summary>One journal file in one of its uses.</summary>
internal sealed class JournalFile(IFile file, long number, long length) : IDisposable
{
    internal IFile Handle { get; } = file;

    internal long Number { get; } = number;

    internal long LengthBytes { get; } = length;

    /// <summary>Counts this use.</summary>
    internal long Incarnation { get; set; }

    /// <summary>Where the next record goes.</summary>
    internal long Offset { get; set; }

    /// <summary>
    /// Up to here every block was written before, in this use of the file or an earlier one; what is behind is only
    /// reserved, and costs about twice as much to write.
    /// </summary>
    internal long WrittenBytes { get; set; }

    /// <summary>Up to here a durable header has what is in it: recovery begins behind.</summary>
    internal long AppliedBytes { get; set; }

    /// <summary>The last transaction in it.</summary>
    internal long LastTransaction { get; set; }

    /// <summary>Where the journal goes on, once this file is full.</summary>
    internal JournalFile? Next { get; set; }

    /// <summary>The hash of the record that says so.</summary>
    internal ulong SwitchHash { get; set; }

    /// <summary>Says where the record behind a state will be, if this file's last record made that state.</summary>
    internal void SetPosition(ref CommitPoint point, long offset)
    {
        point.JournalFileNumber = Number;
        point.JournalIncarnation = Incarnation;
        point.JournalOffset = offset;
        point.JournalLengthBytes = LengthBytes;
    }

    public void Dispose() => Handle.Dispose();
}
