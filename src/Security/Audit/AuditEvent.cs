using Raven.Security.Rights;

namespace Raven.Security.Audit;

/// <summary>Something that the audit log keeps: never a secret, a document, or the value of a parameter.</summary>
/// <param name="Name">What it is, such as <c>certificate.created</c>.</param>
/// <param name="Outcome">How it ended.</param>
public sealed record AuditEvent(string Name, AuditOutcome Outcome)
{
    /// <summary>Who did it; null if that is not known.</summary>
    public Identity? By { get; init; }

    /// <summary>The address and port it came from; empty for the server itself.</summary>
    public string From { get; init; } = "";

    /// <summary>The address that a trusted proxy names; null if there is none.</summary>
    public string? ProxyFor { get; init; }

    /// <summary>The database; null if it is about none.</summary>
    public string? Database { get; init; }

    /// <summary>What it was done to; null if that is clear.</summary>
    public string? Resource { get; init; }

    /// <summary>More about it, name by name.</summary>
    public IReadOnlyList<KeyValuePair<string, string>> Detail { get; init; } = [];

    /// <summary>The id of the request; null if there is none.</summary>
    public string? RequestId { get; init; }
}
