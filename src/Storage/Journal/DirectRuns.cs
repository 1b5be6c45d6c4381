using System.IO.Hashing;
using Raven.Storage.Errors;
using Raven.Storage.Options;
using Raven.Storage.Paging;
using Raven.Storage.Platform;

namespace Raven.Storage.Journal;

// DIRECT-1  A large new run in clean pages (CLEAN-1) is written to its place under the write lock, before its record is
//           encoded, and synced before its record is written. If the transaction does not become durable, the pages are
//           still free.
// DIRECT-2  The record names the run and a hash for each 64 KB of it; recovery compares, and writes nothing.
// DIRECT-3  The run has no version in the page table: every reader that can reach it reads it from the data file.

/// <summary>Values so large that they go to the data file once, and not through the journal.</summary>
internal static class DirectRuns
{
    /// <summary>Runs of more payload than this are direct.</summary>
    internal const int LengthBytesMin = 64 << 10;

    /// <summary>The bytes that share a hash in the journal.</summary>
    internal const int PieceBytes = 64 << 10;

    /// <summary>How many hashes a run has.</summary>
    internal static int PiecesOf(int lengthBytes) => (int)(((long)lengthBytes + PieceBytes - 1) / PieceBytes);

    internal static ulong HashOf(ReadOnlySpan<byte> run, int piece, ulong environmentId)
    {
        ReadOnlySpan<byte> rest = run[(piece * PieceBytes)..];
        return XxHash3.HashToUInt64(rest[..Math.Min(PieceBytes, rest.Length)], (long)environmentId);
    }

    /// <summary>Seals and writes the direct runs of a transaction.</summary>
    /// <returns>Their bytes; 0 if there are none.</returns>
    /// <exception cref="StorageIOException">The disk refused; nothing in use was changed.</exception>
    internal static long Write(DirtyPages dirty, DataFile data, long nextPageNumber, StorageHooks hooks)
    {
        long bytes = 0;
        for (int i = 0; i < dirty.Count; i++)
        {
            ref DirtyPage page = ref dirty[i];
            if (page.IsDirect)
            {
                data.EnsureLength(nextPageNumber);
                data.WriteSealing(page.Page, page.Place.WritableSpan);
                bytes += page.Place.Length;
                hooks.Mark(CoverageMark.DirectRunWritten);
            }
        }

        return bytes;
    }

    /// <summary>Frees the memory of direct runs, which no reader can reach anymore.</summary>
    internal static void Free(DirtyPages dirty, ScratchPool scratch)
    {
        for (int i = 0; i < dirty.Count; i++)
        {
            ref DirtyPage page = ref dirty[i];
            if (page.IsDirect)
            {
                scratch.Free(page.Place);
                page.Place = default;
            }
        }
    }
}
