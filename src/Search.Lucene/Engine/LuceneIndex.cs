using System.Buffers.Binary;
using System.Diagnostics.CodeAnalysis;
using Lucene.Net.Index;
using Raven.Blittable.Memory;
using Raven.Search.Fields;
using Raven.Search.Lucene.Engine.Fields;
using Raven.Search.Lucene.Engine.Files;
using Raven.Search.Segments;
using Raven.Storage.Transactions;
using Raven.Storage.Trees;
using OfLucene = Lucene.Net.Index.IndexReader;

namespace Raven.Search.Lucene.Engine;

//   LUCENE-1  Lucene's files, its commit, the position and the structures beside the index change in one transaction of
//             the environment (INDEX-1). Lucene syncs nothing by itself.
//   LUCENE-2  A transaction says by a number whose commit of Lucene it has: a reader of Lucene is used with a snapshot
//             of that number alone.

/// <summary>An index that Lucene.Net keeps, in the storage environment of the index.</summary>
internal sealed class LuceneIndex : SearchIndex
{
    private readonly StorageDirectory _directory;
    private readonly ReaderGenerations _readers = new();
    private readonly LuceneBatch _batch;
    private readonly Lock _largeMergeLock = new();
    private volatile bool _isMergingLarge;

    private LuceneIndex(StorageEnvironment environment, SearchIndexOptions options, FieldCatalog fields)
        : base(environment, options, fields)
    {
        _directory = new StorageDirectory(environment);
        Writer = new LuceneWriter(_directory, options.InlineMergeBytesMax);
        _batch = new LuceneBatch(this);
    }

    /// <inheritdoc/>
    public override SearchEngineType Engine => SearchEngineType.Lucene;

    internal LuceneWriter Writer { get; }

    /// <summary>Makes the index of an environment that was opened.</summary>
    internal static LuceneIndex Make(StorageEnvironment environment, SearchIndexOptions options)
    {
        int format = ReadFormat(environment);
        if (format is not (0 or IndexNames.FormatVersionOfLucene))
        {
            throw new SearchIndexException(
                $"The index has format {format} of another engine or version, and it is to be of Lucene: index anew.");
        }

        LuceneIndex index = new(environment, options, ReadFields(environment, options));
        index.BeginRead().Dispose();
        return index;
    }

    /// <inheritdoc/>
    public override IndexBatch BeginBatch()
    {
        EnterWrite();
        _batch.Begin();
        return _batch;
    }

    /// <inheritdoc/>
    public override Search.IndexReader BeginRead()
    {
        ReadTransaction transaction = Environment.BeginRead();
        try
        {
            transaction.Purpose = "a query";
            return new LuceneReader(this, transaction, ReaderOf(transaction));
        }
        catch (Exception failure)
        {
            transaction.Dispose();
            if (LuceneDamage.IsIt(failure))
            {
                throw LuceneDamage.Of(failure);
            }

            throw;
        }
    }

    /// <inheritdoc/>
    public override bool Merge() => MergeHere(MergeKind.Small);

    /// <inheritdoc/>
    public override bool MergeAll()
    {
        lock (_largeMergeLock)
        {
            return MergeHere(MergeKind.All);
        }
    }

    /// <inheritdoc/>
    public override bool HasLargeMerge() => Writer.HasLargeMerge && !_isMergingLarge;

    /// <inheritdoc/>
    public override bool MergeLarge(Func<bool> isStopping)
    {
        ArgumentNullException.ThrowIfNull(isStopping);
        lock (_largeMergeLock)
        {
            _isMergingLarge = true;
            try
            {
                return RunLargeMerge(isStopping);
            }
            finally
            {
                _isMergingLarge = false;
            }
        }
    }

    /// <inheritdoc/>
    public override void GiveIdleMemoryBack()
    {
        if (_largeMergeLock.TryEnter())
        {
            if (TryEnterWriteBeside())
            {
                if (!Writer.HasChanges)
                {
                    Writer.GiveUp();
                }

                LeaveWrite();
            }

            _largeMergeLock.Exit();
        }

        _ = Environment.Flush();
    }

    /// <inheritdoc/>
    public override void Dispose()
    {
        Writer.GiveUp();
        _readers.Dispose();
        _directory.Dispose();
        base.Dispose();
    }

    /// <summary>Commits what the writer has in a transaction, which then has ended (LUCENE-1).</summary>
    /// <param name="transaction">The transaction.</param>
    /// <param name="files">Its files.</param>
    /// <param name="write">Writes what else belongs to the commit.</param>
    internal void Commit(WriteTransaction transaction, StorageFiles files, Action<Tree>? write)
    {
        (string[] kept, string[] deleted) = _directory.Unwritten;
        bool isOffered = false;
        bool isCommitted = false;
        try
        {
            using (files.Enter())
            {
                Tree meta = transaction.OpenOrCreateTree(IndexNames.Meta);
                if (Writer.HasChanges)
                {
                    _readers.Offer(transaction.Id, Writer.Commit());
                    isOffered = true;
                    Span<byte> number = stackalloc byte[sizeof(long)];
                    BinaryPrimitives.WriteInt64LittleEndian(number, transaction.Id);
                    meta.Put(LuceneNames.CommitKey, number);
                }

                write?.Invoke(meta);
            }

            transaction.Commit();
            isCommitted = true;
        }
        finally
        {
            if (isOffered)
            {
                _readers.Decide(isCommitted);
            }
        }

        if (isOffered)
        {
            _directory.Written(kept, deleted);
        }
    }

    /// <summary>The snapshot's reader of Lucene, to be returned by <c>DecRef</c> (LUCENE-2).</summary>
    private OfLucene ReaderOf(ReadTransaction transaction)
    {
        long commit = transaction.TryOpenTree(IndexNames.Meta) is { } meta
            && meta.TryGet(LuceneNames.CommitKey, out NativeSlice number)
            ? BinaryPrimitives.ReadInt64LittleEndian(number.Span)
            : 0;
        if (_readers.TryTake(commit) is { } found)
        {
            return found;
        }

        StorageFiles files = new();
        files.Use(transaction);
        using (files.Enter())
        {
            OfLucene reader = commit == 0 ? new MultiReader() : DirectoryReader.Open(_directory);
            _readers.Keep(commit, reader);
            return reader;
        }
    }

    private bool MergeHere(MergeKind kind)
    {
        EnterWrite();
        WriteTransaction? transaction = null;
        bool isDone = false;
        try
        {
            if (!HasContent())
            {
                isDone = true;
                return false;
            }

            transaction = Environment.BeginWrite();
            StorageFiles files = new();
            files.Use(transaction);
            bool isAny;
            using (files.Enter())
            {
                isAny = Writer.Merge(kind);
            }

            if (isAny)
            {
                Commit(transaction, files, null);
            }

            isDone = true;
            return isAny;
        }
        catch (Exception failure) when (failure is MergePolicy.MergeException || LuceneDamage.IsIt(failure))
        {
            Rethrow(failure);
            throw;
        }
        finally
        {
            transaction?.Dispose();
            if (!isDone)
            {
                Writer.GiveUp();
            }

            LeaveWrite();
        }
    }

    private bool HasContent()
    {
        using ReadTransaction transaction = Environment.BeginRead();
        return transaction.TryOpenTree(IndexNames.Meta) is { } meta && meta.Contains(LuceneNames.CommitKey);
    }

    private bool RunLargeMerge(Func<bool> isStopping)
    {
        if (!TryTakeLargeMerge(isStopping, out MergePolicy.OneMerge? merge, out IndexWriter? writer))
        {
            return false;
        }

        using ReadTransaction transaction = Environment.BeginRead();
        transaction.Purpose = "a merge";
        StorageFiles files = new()
        {
            Step = () =>
            {
                if (isStopping())
                {
                    throw new OperationCanceledException("The merge is to end.");
                }
            },
        };
        files.Use(transaction);
        try
        {
            using (files.Enter())
            {
                writer.Merge(merge);
            }
        }
        catch (Exception failure) when (LuceneDamage.Inner(failure) is OperationCanceledException
            or MergePolicy.MergeAbortedException or ObjectDisposedException)
        {
            return false;
        }
        catch (Exception failure)
        {
            Rethrow(failure);
            throw;
        }

        CommitIfIdle();
        return true;
    }

    /// <summary>Takes a merge between two batches, so that all that it reads is committed.</summary>
    private bool TryTakeLargeMerge(
        Func<bool> isStopping, [NotNullWhen(true)] out MergePolicy.OneMerge? merge,
        [NotNullWhen(true)] out IndexWriter? writer)
    {
        merge = null;
        writer = null;
        SpinWait wait = default;
        while (!TryEnterWriteBeside())
        {
            if (isStopping())
            {
                return false;
            }

            // Sleeps a millisecond behind the first rounds: a batch takes many.
            wait.SpinOnce();
        }

        try
        {
            if (!HasContent())
            {
                return false;
            }

            using WriteTransaction transaction = Environment.BeginWrite();
            StorageFiles files = new();
            files.Use(transaction);
            using (files.Enter())
            {
                writer = Writer.Open();
                merge = Writer.TakeLargeMerge();
            }

            return merge is not null;
        }
        finally
        {
            LeaveWrite();
        }
    }

    /// <summary>Commits a merge; if a batch is under way, its commit has it.</summary>
    private void CommitIfIdle()
    {
        if (!TryEnterWriteBeside())
        {
            return;
        }

        bool isDone = false;
        try
        {
            using WriteTransaction transaction = Environment.BeginWrite();
            StorageFiles files = new();
            files.Use(transaction);
            Commit(transaction, files, null);
            isDone = true;
        }
        finally
        {
            if (!isDone)
            {
                Writer.GiveUp();
            }

            LeaveWrite();
        }
    }

    /// <summary>Throws the cause of a failed merge.</summary>
    private static void Rethrow(Exception failure)
    {
        Exception cause = LuceneDamage.Inner(failure);
        if (LuceneDamage.IsIt(cause))
        {
            throw LuceneDamage.Of(cause);
        }

        System.Runtime.ExceptionServices.ExceptionDispatchInfo.Throw(cause);
    }

    private static FieldCatalog ReadFields(StorageEnvironment environment, SearchIndexOptions options)
    {
        using ReadTransaction transaction = environment.BeginRead();
        return transaction.TryOpenTree(IndexNames.Meta) is { } meta
            && meta.TryGet(IndexNames.FieldsKey, out NativeSlice fields)
            ? FieldCatalog.Read(fields.Span, options.Analyzers, IndexNames.FormatVersion)
            : FieldCatalog.New;
    }
}
