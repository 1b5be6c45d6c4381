using Raven.Blittable.Memory;
using Raven.Server.Documents.Ids;

namespace Raven.Server.Documents.Commands;

/// <summary>
/// One operation of a batch and, once that is done, what came of it. Its texts live in the batch's context.
/// </summary>
public struct DocumentOperation
{
    /// <summary>What it does.</summary>
    public DocumentOperationKind Kind { get; internal set; }

    /// <summary>The id, UTF-8: as it was asked for, or as the server completed it.</summary>
    public NativeSlice Id { get; internal set; }

    /// <summary>False where nothing had to be changed: the deletion of nothing, a put of the same.</summary>
    public bool IsChanged { get; internal set; }

    /// <summary>The change, or the version that was left as it is; 0 where there is none.</summary>
    public long Etag { get; internal set; }

    /// <summary>The version that is now there, or the deletion's, UTF-8.</summary>
    public NativeSlice ChangeVector { get; internal set; }

    /// <summary>When it was written, UTC, 100 ns since 0001-01-01.</summary>
    public long LastModifiedTicks { get; internal set; }

    /// <summary>A put: the collection as the document spells it, UTF-8.</summary>
    public NativeSlice Collection { get; internal set; }

    /// <summary>What the document has.</summary>
    public DocumentFlags Flags { get; internal set; }

    /// <summary>What it does, where it is neither a put nor a deletion.</summary>
    internal BatchPart? Part;

    /// <summary>True for what a script did beside its own document: it has no result of its own.</summary>
    public bool IsHidden { get; internal set; }

    /// <summary>The version that the client began with, UTF-8; only transactions of the cluster look at it.</summary>
    internal NativeSlice Original;

    /// <summary>What <see cref="RequestedId"/> asks for.</summary>
    internal IdRequestKind Request;

    /// <summary>The id as it was asked for.</summary>
    internal NativeSlice RequestedId;

    /// <summary>Its folded form, where the server completes it.</summary>
    internal NativeSlice RequestedKey;

    /// <summary>The folded id.</summary>
    internal NativeSlice Key;

    /// <summary>The folded collection.</summary>
    internal NativeSlice CollectionKey;

    /// <summary>The number of the collection, for those who are told of the change.</summary>
    internal int CollectionId;

    /// <summary>The document's bytes.</summary>
    internal NativeSlice Document;

    /// <summary>What must be there.</summary>
    internal VersionCheck Check;

    /// <summary>The version that must be there.</summary>
    internal NativeSlice Expected;

    /// <summary>Where the new change vector goes.</summary>
    internal NativeSlice ChangeVectorRoom;

    /// <summary>Where the completed id goes.</summary>
    internal NativeSlice IdRoom;

    /// <summary>Where the completed key goes.</summary>
    internal NativeSlice KeyRoom;

    /// <summary>The version that is replaced is kept as a revision, whatever the database was told to keep.</summary>
    internal bool KeepsOld;

    /// <summary>When the document expires, UTC ticks; 0 where it does not.</summary>
    internal long ExpiresTicks;

    /// <summary>When the document is refreshed, UTC ticks; 0 where it is not.</summary>
    internal long RefreshTicks;

    /// <summary>Which of its batch's owed versions it has (<see cref="OwedVersions"/>), from 1; 0 for none.</summary>
    internal int OwedVersion;

    /// <summary>Another operation of the batch tells the listeners of the version.</summary>
    internal bool IsVersionTold;

    /// <summary>A put of the very bytes that are there changes nothing.</summary>
    internal bool SkipIfUnchanged;
}
