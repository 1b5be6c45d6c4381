using Raven.Documents.Revisions;

namespace Raven.Documents.Monitoring;

/// <summary>The figures of one collection.</summary>
/// <param name="Name">Its name.</param>
/// <param name="DocumentCount">How many documents it has.</param>
/// <param name="Sizes">How many bytes it has, estimated.</param>
public sealed record CollectionFigures(string Name, long DocumentCount, CollectionSizes Sizes);
