namespace Raven.Documents.Queries;

/// <summary>The point that distances of results are measured from.</summary>
/// <param name="Field">The field of the index with the points of results.</param>
/// <param name="Latitude">The latitude of the point, in degrees.</param>
/// <param name="Longitude">The longitude of the point, in degrees.</param>
/// <param name="KilometersPerUnit">The unit of the distances.</param>
internal sealed record DistanceOrigin(string Field, double Latitude, double Longitude, double KilometersPerUnit);
