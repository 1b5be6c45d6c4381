using Raven.Blittable.Memory;
using Raven.Documents.Ids;
using Raven.Documents.Rows;

namespace Raven.Documents.Commands;

/// <summary>
/// One operation of a batch and, after it was done, its result. Its texts live in the batch's context.
/// </summary>
public struct DocumentOperation
{
    /// <summary>What it does.</summary>
    public DocumentOperationKind Kind { get; internal set; }

    /// <summary>The id, UTF-8: as it was asked for, or as the server completed it.</summary>
    public NativeSlice Id { get; internal set; }

    /// <summary>False if nothing had to be changed: the deletion of a document that is not there, a put of the
    /// same bytes.</summary>
    public bool IsChanged { get; internal set; }

    /// <summary>The change, or the version that was left as it is; 0 if there is none.</summary>
    internal long Etag { get; set; }

    /// <summary>The version that is stored now, or the deletion's, UTF-8.</summary>
    public NativeSlice ChangeVector { get; internal set; }

    /// <summary>When it was written, UTC, 100 ns since 0001-01-01.</summary>
    public long LastModifiedTicks { get; internal set; }

    /// <summary>A put: the collection as the document spells it, UTF-8.</summary>
    public NativeSlice Collection { get; internal set; }

    /// <summary>Which kinds of data belong to the document.</summary>
    public DocumentFlags Flags { get; internal set; }

    /// <summary>What it does, if it is neither a put nor a deletion.</summary>
    public BatchAction? Action { get; set; }

    /// <summary>True for an operation that a script made on another document: it has no result of its own.</summary>
    public bool IsHidden { get; set; }

    /// <summary>The version that the client began with, UTF-8; only transactions of the cluster look at it.</summary>
    public NativeSlice Original { get; set; }

    /// <summary>What <see cref="RequestedId"/> asks for.</summary>
    internal IdRequestKind Request;

    /// <summary>The id as it was asked for.</summary>
    internal NativeSlice RequestedId;

    /// <summary>Its folded form, if the server completes it.</summary>
    internal NativeSlice RequestedKey;

    /// <summary>The folded id.</summary>
    public NativeSlice Key { get; set; }

    /// <summary>The folded collection.</summary>
    internal NativeSlice CollectionKey;

    /// <summary>The number of the collection, for the listeners.</summary>
    internal int CollectionId;

    /// <summary>The document's bytes.</summary>
    internal NativeSlice Document;

    /// <summary>Which check the stored version must pass.</summary>
    public VersionCheck Check { get; set; }

    /// <summary>The version that must be there.</summary>
    internal NativeSlice Expected;

    /// <summary>The memory of the new change vector.</summary>
    internal NativeSlice ChangeVectorBuffer;

    /// <summary>The memory of the completed id.</summary>
    internal NativeSlice IdBuffer;

    /// <summary>The memory of the completed key.</summary>
    internal NativeSlice KeyBuffer;

    /// <summary>The version that is replaced is kept as a revision, whatever the database is configured
    /// to keep.</summary>
    internal bool KeepsOld;

    /// <summary>When the document expires, UTC ticks; 0 if it does not.</summary>
    internal long ExpiresTicks;

    /// <summary>When the document is refreshed, UTC ticks; 0 if it is not.</summary>
    internal long RefreshTicks;

    /// <summary>When the document is archived, UTC ticks; 0 if it is not.</summary>
    internal long ArchiveTicks;

    /// <summary>Which of its batch's deferred versions it has (<see cref="DeferredVersions"/>), from 1; 0 for none.
    /// </summary>
    internal int DeferredVersion;

    /// <summary>Another operation of the batch reports the version to the listeners.</summary>
    internal bool IsVersionNotified;

    /// <summary>A put of the very bytes that are stored changes nothing.</summary>
    internal bool SkipIfUnchanged;

    /// <summary>When the version was written, if it comes from another database, UTC ticks; 0 for now.</summary>
    internal long GivenTicks;
}
