namespace Raven.Tools.Bench.Suites.Client;

/// <summary>A part of <see cref="ClientItem"/>.</summary>
internal sealed class ClientAddress
{
    public string City { get; set; } = "";

    public string Street { get; set; } = "";
}
