using Raven.Blittable.Memory;
using Raven.Server.Documents;

namespace Raven.Server.Queries;

/// <summary>One result of a query.</summary>
internal readonly struct QueryHit
{
    /// <summary>Whether it is a document; else <see cref="Stored"/> is all of it.</summary>
    internal required bool HasDocument { get; init; }

    /// <summary>The document.</summary>
    internal StoredDocument Document { get; init; }

    /// <summary>What the index stored with the entry: a JSON object, or nothing.</summary>
    internal NativeSlice Stored { get; init; }

    /// <summary>How well it fits; null where that was not asked for.</summary>
    internal float? Score { get; init; }
}
