namespace Raven.Server.Queries;

/// <summary>From where distances of results are told.</summary>
/// <param name="Field">The field of the index that holds the places of results.</param>
/// <param name="Latitude">Of the point that is measured from, degrees.</param>
/// <param name="Longitude">Of the point that is measured from, degrees.</param>
/// <param name="KilometersPerUnit">The unit that distances are told in.</param>
internal sealed record MeasuredPlace(string Field, double Latitude, double Longitude, double KilometersPerUnit);
