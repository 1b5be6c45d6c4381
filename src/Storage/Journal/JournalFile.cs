using Raven.Storage.Files;
using Raven.Storage.Paging;

namespace Raven.Storage.Journal;

/// <summary>One journal file in one of its uses.</summary>
internal sealed class JournalFile(IFile file, long number, long length) : IDisposable
{
    internal IFile Handle { get; } = file;

    internal long Number { get; } = number;

    internal long LengthBytes { get; } = length;

    /// <summary>The number of this use.</summary>
    internal long Incarnation { get; set; }

    /// <summary>The offset of the next record.</summary>
    internal long Offset { get; set; }

    /// <summary>
    /// Up to here every block was written before, in this use of the file or an earlier one; blocks behind are only
    /// reserved, and cost about twice as much to write.
    /// </summary>
    internal long WrittenBytes { get; set; }

    /// <summary>Up to here a durable header covers the file's content: recovery begins behind.</summary>
    internal long AppliedBytes { get; set; }

    /// <summary>The last transaction in it.</summary>
    internal long LastTransaction { get; set; }

    /// <summary>The file in which the journal continues once this one is full.</summary>
    internal JournalFile? Next { get; set; }

    /// <summary>The hash of the record that names the next file.</summary>
    internal ulong SwitchHash { get; set; }

    /// <summary>
    /// Sets the place of the record behind a state, given that this file's last record made that state.
    /// </summary>
    internal void SetPosition(ref CommitPoint point, long offset)
    {
        point.JournalFileNumber = Number;
        point.JournalIncarnation = Incarnation;
        point.JournalOffset = offset;
        point.JournalLengthBytes = LengthBytes;
    }

    public void Dispose() => Handle.Dispose();
}
