using Lucene.Net.Analysis.Core;
using Lucene.Net.Index;
using Lucene.Net.Util;
using Raven.Search.Lucene.Engine.Files;

namespace Raven.Search.Lucene.Engine;

/// <summary>
/// The writer of Lucene of one index: opened when it is first needed, and given up when what it has written was not
/// committed. One thread at a time, except for a large merge, which runs beside it.
/// </summary>
#pragma warning disable CA1001 // What it has open is given up, or committed and closed, with the batch that opened it.
internal sealed class LuceneWriter
#pragma warning restore CA1001
{
    /// <summary>The memory at which the entries of a batch so far become a segment.</summary>
    private const double BufferMegabytes = 16;

    private readonly StorageDirectory _directory;
    private readonly long _smallMergeBytesMax;
    private HeldMergePolicy? _policy;
    private volatile IndexWriter? _writer;

    internal LuceneWriter(StorageDirectory directory, long smallMergeBytesMax)
    {
        _directory = directory;
        _smallMergeBytesMax = smallMergeBytesMax;
    }

    /// <summary>Whether it has anything that is not committed.</summary>
    internal bool HasChanges => _writer?.HasUncommittedChanges() == true;

    /// <summary>The entries that it has in memory.</summary>
    internal int BufferedCount => _writer?.NumRamDocs() ?? 0;

    /// <summary>Whether the last choice of merges has left one out because it is large.</summary>
    internal bool HasLargeMerge => _policy is { HasLarge: true };

    /// <summary>The writer of Lucene. The thread has entered the files of a write transaction.</summary>
    internal IndexWriter Open()
    {
        if (_writer is not null)
        {
            return _writer;
        }

        _policy = new HeldMergePolicy(_smallMergeBytesMax);
        IndexWriterConfig configuration = new(LuceneVersion.LUCENE_48, new KeywordAnalyzer())
        {
            MergePolicy = _policy,
            MergeScheduler = new HeldMergeScheduler(_policy),
            RAMBufferSizeMB = BufferMegabytes,
            MaxThreadStates = 1,
            UseReaderPooling = true,
            UseCompoundFile = false,
            CheckIntegrityAtMerge = true,
        };
        _writer = new IndexWriter(_directory, configuration);
        return _writer;
    }

    /// <summary>Commits in the transaction whose files the thread has entered.</summary>
    /// <returns>A reader of what was committed.</returns>
    internal DirectoryReader Commit()
    {
        _directory.RemoveDeleted();
        IndexWriter writer = Open();
        writer.Commit();
        return DirectoryReader.Open(writer, applyAllDeletes: true);
    }

    /// <summary>Runs small merges, or one of all segments.</summary>
    /// <returns>Whether there were any.</returns>
    internal bool Merge(MergeKind kind)
    {
        IndexWriter writer = Open();
        HeldMergePolicy policy = _policy!;
        policy.HasChosen = false;
        policy.Allowed = kind;
        try
        {
            if (kind == MergeKind.All)
            {
                writer.ForceMerge(1);
            }
            else
            {
                writer.MaybeMerge();
            }
        }
        finally
        {
            policy.Allowed = MergeKind.None;
        }

        return policy.HasChosen;
    }

    /// <summary>Takes a large merge, which then must be run; null if there is none.</summary>
    internal MergePolicy.OneMerge? TakeLargeMerge()
    {
        IndexWriter writer = Open();
        HeldMergePolicy policy = _policy!;
        policy.Allowed = MergeKind.Large;
        try
        {
            writer.MaybeMerge();
        }
        finally
        {
            policy.Allowed = MergeKind.None;
        }

        return writer.GetNextMerge();
    }

    /// <summary>
    /// Ends the writer without a commit: what it has written since the last one is dropped, and a merge beside it ends.
    /// No transaction of this thread may be open, for which that merge might wait.
    /// </summary>
    internal void GiveUp()
    {
        IndexWriter? writer = _writer;
        _writer = null;
        _policy = null;
        try
        {
            writer?.Rollback();
        }
        catch (Exception failure) when (failure is IOException or InvalidOperationException or ObjectDisposedException)
        {
            // It ends by the failure for which it is given up.
        }

        _directory.Forget();
    }
}
