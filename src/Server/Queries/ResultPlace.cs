using Raven.Blittable.Json;

namespace Raven.Server.Queries;

/// <summary>Where a result lies: what clients read as <c>@spatial</c> of its metadata.</summary>
/// <param name="Distance">From the point that the query measures from.</param>
/// <param name="Latitude">Of the result's nearest point, degrees.</param>
/// <param name="Longitude">Of the result's nearest point, degrees.</param>
internal sealed record ResultPlace(double Distance, double Latitude, double Longitude)
{
    /// <summary>Writes the property into metadata.</summary>
    internal void Write(ref JsonOutput json)
    {
        json.Name("@spatial"u8);
        json.StartObject();
        json.Name("Distance"u8);
        json.Number(Distance);
        json.Name("Latitude"u8);
        json.Number(Latitude);
        json.Name("Longitude"u8);
        json.Number(Longitude);
        json.EndObject();
    }
}
