using Raven.Blittable.Memory;
using Raven.Blittable.Reading;
using Raven.Server.Documents.Commands;

namespace Raven.Server.Patching;

/// <summary>What is asked of one patch. Its texts live in the context of the batch.</summary>
internal readonly struct PatchRequest
{
    /// <summary>The document, UTF-8.</summary>
    internal required NativeSlice Id { get; init; }

    /// <summary>What runs on the document.</summary>
    internal required PatchScript Script { get; init; }

    /// <summary>What runs on a new document where there is none; null where none is to be made.</summary>
    internal PatchScript? IfMissing { get; init; }

    /// <summary>The document to store where there is none.</summary>
    internal BlittableObject CreateIfMissing { get; init; }

    /// <summary>What the document must be.</summary>
    internal VersionCheck Check { get; init; }

    /// <summary>The version that it must have.</summary>
    internal NativeSlice Expected { get; init; }

    /// <summary>True where a document of another version is left alone; else that is a conflict.</summary>
    internal bool IsSkippedOnMismatch { get; init; }

    /// <summary>True where it is told what the script did.</summary>
    internal bool IsDebug { get; init; }
}
