namespace Raven.Search.Spatial;

/// <summary>Distances on a sphere of the earth's mean radius.</summary>
public static class GeoDistance
{
    /// <summary>The earth's mean radius (IUGG), kilometers.</summary>
    public const double EarthRadiusKilometers = 6371.0087714;

    /// <summary>Kilometers of a mile.</summary>
    public const double KilometersPerMile = 1.609344;

    /// <summary>The length of the shortest way over the surface, kilometers; all angles in degrees.</summary>
    public static double Kilometers(double latitude, double longitude, double otherLatitude, double otherLongitude)
    {
        double north = double.DegreesToRadians(otherLatitude - latitude);
        double east = double.DegreesToRadians(otherLongitude - longitude);
        double sine = Math.Sin(north / 2);
        double other = Math.Sin(east / 2);
        double part = (sine * sine) + (Math.Cos(double.DegreesToRadians(latitude))
            * Math.Cos(double.DegreesToRadians(otherLatitude)) * other * other);
        return 2 * EarthRadiusKilometers * Math.Asin(Math.Min(1, Math.Sqrt(part)));
    }

    /// <summary>The end of a way from a point, in degrees.</summary>
    internal static (double Latitude, double Longitude) Destination(
        double latitude, double longitude, double kilometers, double bearingRadians)
    {
        double angle = kilometers / EarthRadiusKilometers;
        double from = double.DegreesToRadians(latitude);
        double sine = (Math.Sin(from) * Math.Cos(angle))
            + (Math.Cos(from) * Math.Sin(angle) * Math.Cos(bearingRadians));
        double east = Math.Atan2(
            Math.Sin(bearingRadians) * Math.Sin(angle) * Math.Cos(from), Math.Cos(angle) - (Math.Sin(from) * sine));
        return (double.RadiansToDegrees(Math.Asin(Math.Clamp(sine, -1, 1))), longitude + double.RadiansToDegrees(east));
    }
}
