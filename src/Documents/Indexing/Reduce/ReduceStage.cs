using Raven.Documents.Indexing.Maps;
using Raven.Storage.Transactions;

namespace Raven.Documents.Indexing.Reduce;

/// <summary>
/// Keeps the results of maps, by group, in the environment of the index, and reduces them. Its structures change in the
/// transaction of the batch, so that results and position agree (INDEX-1). One batch, one thread at a time.
/// </summary>
internal abstract class ReduceStage : IDisposable
{
    /// <summary>Takes the results of maps, between <see cref="BeginDocument"/> and <see cref="EndDocument"/>.</summary>
    internal abstract MapSink Sink { get; }

    /// <summary>The fields of its results, if all have the same; empty if that is not known.</summary>
    internal virtual IReadOnlyList<string> Fields => [];

    /// <summary>Whether a text of its results may be a duration, which JSON does not have.</summary>
    internal virtual bool HasDurations => false;

    /// <summary>
    /// Receives the documents that maps load, which <see cref="Sink"/> does not take; null to ignore them.
    /// </summary>
    internal MapSink? References { get; set; }

    /// <summary>How many groups the batch has reduced.</summary>
    internal int GroupCount { get; private protected set; }

    /// <summary>How many of these groups failed.</summary>
    internal int FailedGroupCount { get; private protected set; }

    /// <summary>How many results the maps emitted for the last document.</summary>
    internal int EmittedCount { get; private protected set; }

    /// <summary>Begins a batch.</summary>
    /// <param name="transaction">The batch's transaction. Structures whose names begin with <c>Reduce</c> belong to
    /// the stage.</param>
    internal abstract void Begin(WriteTransaction transaction);

    /// <summary>Begins a document that is mapped, whose earlier results are replaced.</summary>
    /// <param name="key">Its folded id.</param>
    internal abstract void BeginDocument(ReadOnlySpan<byte> key);

    /// <summary>
    /// Called after all maps have run over the document, or after one of them failed: then its results are dropped.
    /// If the key of a result cannot be computed, this throws before anything is changed, and the document has
    /// failed as well.
    /// </summary>
    internal abstract void EndDocument(bool isFailed);

    /// <summary>Removes the results of a document that was deleted.</summary>
    internal abstract void DeleteDocument(ReadOnlySpan<byte> key);

    /// <summary>Reduces every group that has changed, after all documents of the batch.</summary>
    internal abstract void Complete(ReduceOutput output);

    /// <summary>Ends the batch, whether it was committed or not, and forgets everything of its transaction.</summary>
    internal abstract void End();

    /// <inheritdoc/>
    public void Dispose()
    {
        Dispose(isDisposing: true);
        GC.SuppressFinalize(this);
    }

    /// <summary>Disposes what the stage has.</summary>
    protected virtual void Dispose(bool isDisposing)
    {
    }
}
