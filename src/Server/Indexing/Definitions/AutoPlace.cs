namespace Raven.Server.Indexing.Definitions;

/// <summary>Where the places of documents stand, for a field of an index that was made by a query.</summary>
/// <param name="First">The path of the latitudes; or of well-known texts.</param>
/// <param name="Longitude">The path of the longitudes; null where the other is of well-known texts.</param>
internal sealed record AutoPlace(string First, string? Longitude)
{
    /// <summary>The name of the field, as queries write it.</summary>
    internal string Name => Longitude is null ? $"spatial.wkt({First})" : $"spatial.point({First}, {Longitude})";
}
