namespace Raven.Search.Spatial;

/// <summary>A box of degrees; if west is greater than east it crosses the 180th meridian.</summary>
internal readonly record struct GeoBox(double South, double West, double North, double East)
{
    /// <summary>The box around a circle.</summary>
    internal static GeoBox OfCircle(double latitude, double longitude, double kilometers)
    {
        double north = double.RadiansToDegrees(kilometers / GeoDistance.EarthRadiusKilometers);
        double cosine = Math.Cos(double.DegreesToRadians(Math.Min(90, Math.Abs(latitude) + north)));
        double sine = Math.Sin(Math.Min(Math.PI / 2, kilometers / GeoDistance.EarthRadiusKilometers));
        bool isWhole = latitude + north >= 90 || latitude - north <= -90 || sine >= cosine;
        if (isWhole)
        {
            return new GeoBox(Math.Max(-90, latitude - north), -180, Math.Min(90, latitude + north), 180);
        }

        double east = double.RadiansToDegrees(Math.Asin(sine / cosine));
        return new GeoBox(latitude - north, Wrap(longitude - east), latitude + north, Wrap(longitude + east));
    }

    /// <summary>The runs of Morton codes that cover the box, and possibly a little more, sorted.</summary>
    internal void Cover(List<(ulong From, ulong To)> runs)
    {
        runs.Clear();
        uint south = PointCode.Quantize(South, 90);
        uint north = PointCode.Quantize(North, 90);
        if (West > East)
        {
            Cover(runs, 0, 0, 32, (south, PointCode.Quantize(-180, 180), north, PointCode.Quantize(East, 180)));
            Cover(runs, 0, 0, 32, (south, PointCode.Quantize(West, 180), north, PointCode.Quantize(180, 180)));
        }
        else
        {
            Cover(runs, 0, 0, 32, (south, PointCode.Quantize(West, 180), north, PointCode.Quantize(East, 180)));
        }

        runs.Sort();
        for (int i = runs.Count - 1; i > 0; i--)
        {
            // Runs that touch or overlap are joined.
            if (runs[i - 1].To >= runs[i].From - 1)
            {
                runs[i - 1] = (runs[i - 1].From, Math.Max(runs[i - 1].To, runs[i].To));
                runs.RemoveAt(i);
            }
        }
    }

    private static double Wrap(double longitude) =>
        longitude < -180 ? longitude + 360 : longitude > 180 ? longitude - 360 : longitude;

    /// <summary>Divides a square of 2^size steps until it lies in the box, or is small beside it.</summary>
    private static void Cover(
        List<(ulong From, ulong To)> runs, uint latitude, uint longitude, int size,
        (uint South, uint West, uint North, uint East) box)
    {
        uint last = size == 32 ? uint.MaxValue : (1u << size) - 1;
        if (latitude > box.North || latitude + last < box.South || longitude > box.East || longitude + last < box.West)
        {
            return;
        }

        bool isInside = latitude >= box.South && latitude + last <= box.North
            && longitude >= box.West && longitude + last <= box.East;
        uint least = Math.Min(box.North - box.South, box.East - box.West);
        uint most = Math.Max(box.North - box.South, box.East - box.West);
        if (isInside || size == 0 || last < Math.Max(least / 4, most / 64))
        {
            runs.Add((
                PointCode.Interleave(latitude, longitude), PointCode.Interleave(latitude + last, longitude + last)));
            return;
        }

        uint half = 1u << (size - 1);
        Cover(runs, latitude, longitude, size - 1, box);
        Cover(runs, latitude, longitude + half, size - 1, box);
        Cover(runs, latitude + half, longitude, size - 1, box);
        Cover(runs, latitude + half, longitude + half, size - 1, box);
    }
}
