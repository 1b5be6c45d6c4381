using Raven.Server.Indexing.Maps;
using Raven.Storage.Transactions;

namespace Raven.Server.Indexing.Reduce;

/// <summary>
/// Keeps what maps emitted, by group, in the environment of the index, and makes results of it. Its structures change
/// in the transaction of the batch: results and position stay one fact (INDEX-1). One batch, one thread at a time.
/// </summary>
internal abstract class ReduceStage : IDisposable
{
    /// <summary>Takes what maps emit, between <see cref="BeginDocument"/> and <see cref="EndDocument"/>.</summary>
    internal abstract MapSink Sink { get; }

    /// <summary>The fields of its results, where all have the same; empty where that is not known.</summary>
    internal virtual IReadOnlyList<string> Fields => [];

    /// <summary>Whether a text of its results may be a length of time, which JSON has not.</summary>
    internal virtual bool HasDurations => false;

    /// <summary>Told of the documents that maps load, where <see cref="Sink"/> is not; null to forget them.</summary>
    internal MapSink? References { get; set; }

    /// <summary>Groups that the batch reduced.</summary>
    internal int GroupCount { get; private protected set; }

    /// <summary>Those of them that failed.</summary>
    internal int FailedGroupCount { get; private protected set; }

    /// <summary>What the maps emitted for the last document.</summary>
    internal int EmittedCount { get; private protected set; }

    /// <summary>A batch begins.</summary>
    /// <param name="transaction">The batch's transaction. Structures whose names begin with <c>Reduce</c> are
    /// yours.</param>
    internal abstract void Begin(WriteTransaction transaction);

    /// <summary>A document is mapped; what it emitted before counts no more.</summary>
    /// <param name="key">Its folded id.</param>
    internal abstract void BeginDocument(ReadOnlySpan<byte> key);

    /// <summary>All maps have run over the document, or one of them failed: then what it emitted is dropped. Where it
    /// cannot be told to which group something belongs, this throws before anything is changed: then it has failed as
    /// well.</summary>
    internal abstract void EndDocument(bool isFailed);

    /// <summary>A document was deleted: what it emitted counts no more.</summary>
    internal abstract void DeleteDocument(ReadOnlySpan<byte> key);

    /// <summary>The documents of the batch are through: reduces every group that was touched.</summary>
    internal abstract void Complete(ReduceOutput output);

    /// <summary>The batch has ended, committed or not: forget what it knew of the transaction.</summary>
    internal abstract void End();

    /// <inheritdoc/>
    public void Dispose()
    {
        Dispose(isDisposing: true);
        GC.SuppressFinalize(this);
    }

    /// <summary>Gives back what it holds.</summary>
    protected virtual void Dispose(bool isDisposing)
    {
    }
}
