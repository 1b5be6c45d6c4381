using System.Text.Json.Serialization;

namespace Raven.Samples.Northwind;

/// <summary>An order with its lines.</summary>
internal sealed class Order
{
    public string? Id { get; set; }

    [JsonPropertyName("customerID")]
    public string Customer { get; set; } = "";

    [JsonPropertyName("orderDate")]
    public string OrderedAt { get; set; } = "";

    [JsonPropertyName("freight")]
    public decimal Freight { get; set; }

    [JsonPropertyName("shipAddress")]
    public Address ShipTo { get; set; } = new();

    [JsonPropertyName("details")]
    public List<OrderLine> Lines { get; set; } = [];
}
