using Raven.Documents.Indexing.Definitions;

namespace Raven.Documents.Indexing.Storage;

/// <summary>Which engine an index has.</summary>
/// <param name="Wanted">The one that it must have; null for that which has written it.</param>
/// <param name="Preferred">That of a new index, if it may have any.</param>
internal readonly record struct IndexEngines(IndexEngine? Wanted, IndexEngine Preferred)
{
    /// <summary>The engine of a new index.</summary>
    internal IndexEngine OfNew => Wanted ?? Preferred;

    /// <summary>Those of a definition on a server.</summary>
    internal static IndexEngines Of(IndexDefinition definition, IndexingOptions options) =>
        new(definition.WantedEngine, definition.IsAuto ? options.AutoEngine : options.StaticEngine);
}
