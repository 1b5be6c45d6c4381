namespace Raven.Samples.Outbox;

/// <summary>What an application stores.</summary>
internal sealed class Order
{
    public string? Id { get; set; }

    public string Customer { get; set; } = "";

    public decimal Total { get; set; }
}
