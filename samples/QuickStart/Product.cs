namespace Raven.Samples.QuickStart;

/// <summary>Something to sell.</summary>
internal sealed class Product
{
    public string? Id { get; set; }

    public string Name { get; set; } = "";

    public decimal Price { get; set; }

    public string? SupplierId { get; set; }
}
