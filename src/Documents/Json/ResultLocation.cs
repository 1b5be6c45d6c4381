using Raven.Blittable.Json;

namespace Raven.Documents.Json;

/// <summary>The position of a result: the <c>@spatial</c> of its metadata.</summary>
/// <param name="Distance">The distance from the point of the query.</param>
/// <param name="Latitude">The latitude of the result's nearest point, in degrees.</param>
/// <param name="Longitude">The longitude of the result's nearest point, in degrees.</param>
internal sealed record ResultLocation(double Distance, double Latitude, double Longitude)
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
