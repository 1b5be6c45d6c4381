using Raven.Blittable.Memory;
using Raven.Blittable.Reading;
using Raven.Documents.Commands;

namespace Raven.Documents.Patching;

/// <summary>The parameters of one patch. Its texts live in the context of the batch.</summary>
public readonly struct PatchRequest
{
    /// <summary>The document, UTF-8.</summary>
    public required NativeSlice Id { get; init; }

    /// <summary>The script that runs on the document.</summary>
    public required PatchScript Script { get; init; }

    /// <summary>The script that runs on a new document if there is none; null to create none.</summary>
    public PatchScript? IfMissing { get; init; }

    /// <summary>The document to store if there is none.</summary>
    public BlittableObject CreateIfMissing { get; init; }

    /// <summary>Which check the stored version must pass.</summary>
    public VersionCheck Check { get; init; }

    /// <summary>The version that it must have.</summary>
    public NativeSlice Expected { get; init; }

    /// <summary>True if a document of another version is skipped; otherwise that is a conflict.</summary>
    public bool IsSkippedOnMismatch { get; init; }

    /// <summary>True if the result has the debug output of the script.</summary>
    public bool IsDebug { get; init; }
}
