using Raven.Documents.Indexing.Definitions;
using Raven.Search;
using Raven.Search.Analysis;
using Raven.Search.Fields;
using Raven.Search.Lucene.Engine;
using Raven.Storage.Errors;
using Raven.Storage.Options;

namespace Raven.Documents.Indexing.Storage;

//   IDX-1  A search holds its index. The last holder that releases a retired index closes it, and removes its folder if
//          it is deleted. A search never loses its index.
//   IDX-2  An index that cannot be read, is another database's, or is ahead of the documents is dropped and rebuilt:
//          an index holds nothing that the documents do not.

/// <summary>The search index of one incarnation of an index, in a folder of its own. Any thread.</summary>
internal sealed class IndexStorage
{
    private const int Retired = int.MinValue / 2;

    private readonly IDatabaseFolders _folders;
    private int _holds;
    private int _isClosed;
    private bool _isDeleted;

    private IndexStorage(IDatabaseFolders folders, string folder, SearchIndex search, IndexPosition position)
    {
        _folders = folders;
        Folder = folder;
        Search = search;
        Opened = position;
    }

    /// <summary>The folder's name.</summary>
    internal string Folder { get; }

    /// <summary>The index. Hold it while it is used.</summary>
    internal SearchIndex Search { get; }

    /// <summary>The engine that keeps it.</summary>
    internal IndexEngine Engine =>
        Search.Engine == SearchEngineType.Lucene ? IndexEngine.Lucene : IndexEngine.Corax;

    /// <summary>How far it was when it was opened.</summary>
    internal IndexPosition Opened { get; }

    /// <summary>Opens the index in a folder, or makes a new one (IDX-2).</summary>
    /// <param name="folders">The folders of the indexes.</param>
    /// <param name="folder">Its name.</param>
    /// <param name="configure">Changes the options for its files before they are opened.</param>
    /// <param name="analyzers">Finds the analyzers by the names that are stored in the index.</param>
    /// <param name="graphOf">Gives the options of the graphs over a field of vectors by the name of the field.</param>
    /// <param name="engines">Which engine it has.</param>
    /// <param name="database">The database's id.</param>
    /// <param name="judge">Says what is wrong with a position, compared with the documents; null if nothing is.</param>
    /// <param name="load">Reads what else is stored in it: its exceptions count as those of the opening.</param>
    /// <param name="problem">Why the old contents were dropped; null if they were not.</param>
    internal static IndexStorage Open(
        IDatabaseFolders folders, string folder, Func<StorageOptions, StorageOptions> configure,
        Func<string, Analyzer?> analyzers, Func<string, VectorGraphOptions> graphOf, IndexEngines engines,
        Guid database, Func<IndexPosition, string?> judge, Action<SearchIndex> load, out string? problem)
    {
        IndexStorage? OpenOnce(out string? problem)
        {
            SearchIndex search = OpenFiles(folders, folder, configure, analyzers, graphOf, engines);
            IndexStorage? opened = null;
            try
            {
                if (TryReadPosition(search, database, judge, out IndexPosition position, out problem))
                {
                    load(search);
                    opened = new IndexStorage(folders, folder, search, position);
                }

                return opened;
            }
            finally
            {
                if (opened is null)
                {
                    search.Dispose();
                }
            }
        }

        try
        {
            if (OpenOnce(out problem) is { } opened)
            {
                return opened;
            }
        }
        catch (Exception damage) when (damage is StorageCorruptedException or SearchIndexException
            or StorageVersionException)
        {
            problem = damage.Message;
        }

        folders.Delete(folder);
        return OpenOnce(out string? next) ?? throw new SearchIndexException(next!);
    }

    /// <summary>Whether it is closed as soon as it has no holders.</summary>
    internal bool IsRetired => Volatile.Read(ref _holds) < 0;

    /// <summary>Holds it; false if it is closed or retired.</summary>
    internal bool TryHold()
    {
        if (Interlocked.Increment(ref _holds) > 0)
        {
            return true;
        }

        Release();
        return false;
    }

    /// <summary>Releases a hold.</summary>
    internal void Release()
    {
        if (Interlocked.Decrement(ref _holds) == Retired)
        {
            Close();
        }
    }

    /// <summary>Closes it, and removes its folder if it is deleted, now or when the last holder releases it.</summary>
    internal void Retire(bool isDeleted)
    {
        _isDeleted = isDeleted;
        if (Interlocked.Add(ref _holds, Retired) == Retired)
        {
            Close();
        }
    }

    private void Close()
    {
        // A holder that came too late may be the last to release it as well.
        if (Interlocked.Exchange(ref _isClosed, 1) != 0)
        {
            return;
        }

        Search.Dispose();
        try
        {
            if (_isDeleted)
            {
                _folders.Delete(Folder);
            }
        }
        catch (Exception failure) when (LoadFailures.IsKnown(failure))
        {
            // No index knows the folder any more: the next load of the indexes of the database removes it, or logs it.
        }
    }

    /// <summary>How far it is; false with the problem if it cannot be used.</summary>
    private static bool TryReadPosition(
        SearchIndex search, Guid database, Func<IndexPosition, string?> judge, out IndexPosition position,
        out string? problem)
    {
        byte[] bytes = search.ReadPosition();
        if (bytes.Length == 0)
        {
            position = new IndexPosition(database, 0, 0, 0, 0, 0);
            problem = null;
            return true;
        }

        problem = !IndexPosition.TryRead(bytes, out position) ? "its position is of another version"
            : position.DatabaseId != database ? "it is another database's"
            : judge(position);
        return problem is null;
    }

    private static SearchIndex OpenFiles(
        IDatabaseFolders folders, string folder, Func<StorageOptions, StorageOptions> configure,
        Func<string, Analyzer?> analyzers, Func<string, VectorGraphOptions> graphOf, IndexEngines engines) =>
        LuceneEngine.Open(
            new SearchIndexOptions
            {
                Analyzers = analyzers,
                GraphOf = graphOf,
                Storage = configure(new StorageOptions { FileSystem = folders.Open(folder) }),
            },
            engines.Wanted is { } wanted ? TypeOf(wanted) : null, TypeOf(engines.Preferred));

    private static SearchEngineType TypeOf(IndexEngine engine) =>
        engine == IndexEngine.Lucene ? SearchEngineType.Lucene : SearchEngineType.Corax;
}
