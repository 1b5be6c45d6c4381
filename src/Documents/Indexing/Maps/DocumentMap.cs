namespace Raven.Documents.Indexing.Maps;

/// <summary>
/// The function that makes entries of a document, any number of them. Compiled once, run by one thread at a time.
/// </summary>
internal abstract class DocumentMap : IDisposable
{
    /// <summary>A map over some collections.</summary>
    /// <param name="collections">Their names in any case; none for all documents.</param>
    protected DocumentMap(IReadOnlyList<string> collections) => Collections = collections;

    /// <summary>The collections that it reads; empty if it reads all documents.</summary>
    internal IReadOnlyList<string> Collections { get; }

    /// <summary>The fields of its entries, if all entries have the same; empty if that is not known.</summary>
    internal virtual IReadOnlyList<string> Fields => [];

    /// <summary>Whether it runs over the counters of a document, which is mapped again when one of
    /// them changes.</summary>
    internal virtual bool ReadsCounters => false;

    /// <summary>Whether it runs over the time series of a document, segment by segment; the document is mapped again
    /// when one of them changes.</summary>
    internal virtual bool ReadsTimeSeries => false;

    /// <summary>
    /// Runs over a document. An exception is an error of this document: the index goes on with the next one, and the
    /// entries of this document that were begun are dropped.
    /// </summary>
    /// <param name="document">The document in storage; valid during the call.</param>
    /// <param name="sink">Takes the entries; its memory is freed after each document.</param>
    internal abstract void Run(in StoredDocument document, MapSink sink);

    /// <inheritdoc/>
    public void Dispose()
    {
        Dispose(isDisposing: true);
        GC.SuppressFinalize(this);
    }

    /// <summary>Disposes what the compiled map holds.</summary>
    protected virtual void Dispose(bool isDisposing)
    {
    }
}
