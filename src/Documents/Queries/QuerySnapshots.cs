using Raven.Documents.Indexing;
using Raven.Documents.Indexing.Storage;
using Raven.Search;

namespace Raven.Documents.Queries;

//   QRY-2  Index and documents are read from the same two snapshots while the answer is written. Only a stream whose
//          client is slow, or that takes long, continues from newer snapshots, between two results.

/// <summary>The snapshots that a query reads. One thread at a time.</summary>
/// <param name="database">The database.</param>
/// <param name="storage">The files of the query's index; null if documents answer. The query holds them.</param>
/// <param name="purpose">What the snapshot of the documents is for.</param>
internal sealed class QuerySnapshots(Database database, IndexStorage? storage, string purpose) : IDisposable
{
    private readonly TimeProvider _clock = database.Indexes.Services.Clock;
    private long _since;

    /// <summary>The snapshot of the index; null if documents answer.</summary>
    internal IndexReader? Index { get; private set; }

    /// <summary>The snapshot of the documents.</summary>
    internal DocumentSnapshot Documents { get; private set; } = null!;

    /// <summary>How often they were renewed.</summary>
    internal int Renewals { get; private set; }

    /// <summary>For how long they have been held.</summary>
    internal TimeSpan Age => _clock.GetElapsedTime(_since);

    /// <summary>Takes them: that of the index first (HIT-1).</summary>
    internal void Take()
    {
        Index = storage?.Search.BeginRead();
        Documents = database.BeginRead(purpose);
        _since = _clock.GetTimestamp();
    }

    /// <summary>Takes newer ones, after <see cref="Release"/>.</summary>
    internal void Renew()
    {
        Take();
        Renewals++;
    }

    /// <summary>Gives them up: nothing of them may be used any more.</summary>
    internal void Release()
    {
        Documents?.Dispose();
        Documents = null!;
        Index?.Dispose();
        Index = null;
    }

    public void Dispose() => Release();
}
