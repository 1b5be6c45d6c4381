namespace Raven.Documents.Indexing.Definitions;

/// <summary>The paths of points or shapes in documents, for a field of an automatic index.</summary>
/// <param name="First">The path of the latitudes, or of well-known texts.</param>
/// <param name="Longitude">The path of the longitudes; null if <paramref name="First"/> is of well-known texts.</param>
internal sealed record AutoSpatial(string First, string? Longitude)
{
    /// <summary>The name of the field, as queries write it.</summary>
    internal string Name => Longitude is null ? $"spatial.wkt({First})" : $"spatial.point({First}, {Longitude})";
}
