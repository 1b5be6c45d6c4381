namespace Raven.Documents.Indexing.Static.Values;

/// <summary>The result of <c>CreateSpatialField</c>: a point, or a shape in well-known text.</summary>
/// <param name="Latitude">The latitude of a point, in degrees.</param>
/// <param name="Longitude">The longitude of a point, in degrees.</param>
/// <param name="WellKnownText">The shape; null for a point.</param>
internal sealed record DynamicShape(double Latitude, double Longitude, string? WellKnownText);
