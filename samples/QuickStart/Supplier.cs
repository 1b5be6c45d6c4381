namespace Raven.Samples.QuickStart;

/// <summary>Who makes it.</summary>
internal sealed class Supplier
{
    public string? Id { get; set; }

    public string Name { get; set; } = "";
}
