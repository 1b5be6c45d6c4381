namespace Raven.Tools.Bench.Suites.Client;

/// <summary>One of the fifty emails of the N+1 example: it names its sender.</summary>
internal sealed class ClientEmail
{
    public string? Id { get; set; }

    public string Subject { get; set; } = "";

    public string SenderId { get; set; } = "";
}
