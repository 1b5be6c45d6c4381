using System.Text.Json.Serialization;

namespace Raven.Samples.Northwind;

/// <summary>One product of an order.</summary>
internal sealed class OrderLine
{
    [JsonPropertyName("productID")]
    public int Product { get; set; }

    [JsonPropertyName("unitPrice")]
    public double Price { get; set; }

    [JsonPropertyName("quantity")]
    public int Quantity { get; set; }
}
