using System.Runtime.InteropServices;
using Raven.Storage.Errors;
using Raven.Storage.Journal;
using Raven.Storage.Options;
using Raven.Storage.Paging;
using Raven.Storage.Platform;

namespace Raven.Storage.Recovery;

/// <summary>
/// The runs that journal records found in the data file already (DIRECT-2), compared with their hashes at the end of
/// recovery. If a later record has one of a run's pages, the run was freed and is not compared.
/// </summary>
internal sealed class DirectRunCheck(DataFile data, StorageHooks hooks)
{
    private readonly Dictionary<long, DirectRun> _runOfPage = [];

    /// <summary>Forgets the runs that a later entry overwrote.</summary>
    internal void Forget(in JournalEntryHeader entry)
    {
        if (_runOfPage.Count == 0)
        {
            return;
        }

        long end = entry.PageNumber + (entry.LengthBytes / PageHeader.PageSizeInBytes);
        for (long page = entry.PageNumber; page < end; page++)
        {
            if (_runOfPage.TryGetValue(page, out DirectRun? run))
            {
                hooks.Mark(CoverageMark.DirectRunReplaced);
                for (long gone = run.Page; gone < run.EndPage; gone++)
                {
                    _runOfPage.Remove(gone);
                }
            }
        }
    }

    /// <returns>False if the number of hashes does not match the run.</returns>
    internal bool TryAdd(
        string journal, in JournalRecordHeader header, in JournalEntryHeader entry, ReadOnlySpan<byte> hashes)
    {
        if (hashes.Length != DirectRuns.PiecesOf(entry.LengthBytes) * sizeof(ulong))
        {
            return false;
        }

        var run = new DirectRun(
            entry.PageNumber, entry.LengthBytes, MemoryMarshal.Cast<byte, ulong>(hashes).ToArray(), journal, header);
        for (long page = run.Page; page < run.EndPage; page++)
        {
            _runOfPage[page] = run;
        }

        return true;
    }

    /// <exception cref="StorageCorruptedException">A run is not what was written.</exception>
    internal void Run()
    {
        using var buffer = new NativeBuffer(DirectRuns.PieceBytes);
        foreach ((long page, DirectRun run) in _runOfPage)
        {
            if (page == run.Page)
            {
                Check(run, buffer);
                hooks.Mark(CoverageMark.DirectRunRecovered);
            }
        }
    }

    private void Check(DirectRun run, NativeBuffer buffer)
    {
        for (int piece = 0; piece < run.Hashes.Length; piece++)
        {
            int offset = piece * DirectRuns.PieceBytes;
            Span<byte> bytes = buffer.Span[..Math.Min(DirectRuns.PieceBytes, run.LengthBytes - offset)];
            bool isWhole = data.ReadAt(run.Page + (offset / PageHeader.PageSizeInBytes), bytes) == bytes.Length;
            if (!isWhole || DirectRuns.HashOf(bytes, 0, data.EnvironmentId) != run.Hashes[piece])
            {
                throw new StorageCorruptedException(
                    DataFile.Name,
                    (run.Page * PageHeader.PageSizeInBytes) + offset,
                    $"the run at page {run.Page} is not what transaction {run.Header.TransactionId} " +
                        $"({run.Journal}, offset {run.Header.FileOffset}) wrote there.");
            }
        }
    }

    private sealed record DirectRun(
        long Page, int LengthBytes, ulong[] Hashes, string Journal, JournalRecordHeader Header)
    {
        internal long EndPage => Page + (LengthBytes / PageHeader.PageSizeInBytes);
    }
}
