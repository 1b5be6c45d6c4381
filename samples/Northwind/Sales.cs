namespace Raven.Samples.Northwind;

/// <summary>What a country ordered.</summary>
internal sealed class Sales
{
    public string Country { get; set; } = "";

    public int Orders { get; set; }

    public double Total { get; set; }
}
