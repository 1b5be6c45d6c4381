namespace Raven.Samples.Trimmed;

/// <summary>A document.</summary>
internal sealed class Customer
{
    public string? Id { get; set; }

    public string Name { get; set; } = "";

    public Address Address { get; set; } = new();

    public List<string> Tags { get; init; } = [];
}
