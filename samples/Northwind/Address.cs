using System.Text.Json.Serialization;

namespace Raven.Samples.Northwind;

/// <summary>Where something goes.</summary>
internal sealed class Address
{
    [JsonPropertyName("city")]
    public string City { get; set; } = "";

    [JsonPropertyName("country")]
    public string Country { get; set; } = "";
}
