using Raven.Blittable.Memory;
using Raven.Server.Documents;

namespace Raven.Server.Patching;

/// <summary>
/// A document as a script finds it: stored, or written by an earlier command of its batch and then without a version.
/// </summary>
internal readonly struct PlannedDocument
{
    /// <summary>True where there is one.</summary>
    internal bool Exists { get; init; }

    /// <summary>Its id, UTF-8, as it was last written.</summary>
    internal NativeSlice Id { get; init; }

    /// <summary>Its bytes.</summary>
    internal NativeSlice Data { get; init; }

    /// <summary>Its version, UTF-8; empty where the batch wrote it.</summary>
    internal NativeSlice ChangeVector { get; init; }

    /// <summary>When it was written; 0 where the batch wrote it.</summary>
    internal long LastModifiedTicks { get; init; }

    /// <summary>What it has.</summary>
    internal DocumentFlags Flags { get; init; }
}
