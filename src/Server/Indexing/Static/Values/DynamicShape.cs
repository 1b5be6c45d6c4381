namespace Raven.Server.Indexing.Static.Values;

/// <summary>What <c>CreateSpatialField</c> gives: a point, or a shape in well-known text.</summary>
/// <param name="Latitude">Degrees, of a point.</param>
/// <param name="Longitude">Degrees, of a point.</param>
/// <param name="WellKnownText">The shape; null for a point.</param>
public sealed record DynamicShape(double Latitude, double Longitude, string? WellKnownText);
