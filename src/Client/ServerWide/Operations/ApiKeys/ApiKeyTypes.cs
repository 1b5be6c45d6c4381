using Raven.Client.ServerWide.Operations.Certificates;

namespace Raven.Client.ServerWide.Operations.ApiKeys;

/// <summary>An API key as the server knows it, without the key itself.</summary>
public sealed class ApiKeyDefinition
{
    /// <summary>What it is found by. The server gives it, and it is not sent.</summary>
    public string? Id { get; set; }

    /// <summary>Its name, for people.</summary>
    public string? Name { get; set; }

    /// <summary>What it may do on the server as a whole: at most what an operator may.</summary>
    public SecurityClearance SecurityClearance { get; set; } = SecurityClearance.ValidUser;

    /// <summary>What it may do with single databases.</summary>
    public Dictionary<string, DatabaseAccess>? Permissions { get; set; }

    /// <summary>What else it may do: <c>monitoring</c> reads the metrics.</summary>
    public List<string>? Scopes { get; set; }

    /// <summary>The networks from which it counts, such as <c>10.0.0.0/8</c>; null or none for all.</summary>
    public List<string>? AllowedAddresses { get; set; }

    /// <summary>When it ends; null if never.</summary>
    public DateTime? ExpiresAt { get; set; }

    /// <summary>When it was made. It is not sent.</summary>
    public DateTime? CreatedAt { get; set; }

    /// <summary>Who made it. It is not sent.</summary>
    public string? CreatedBy { get; set; }

    /// <summary>When it was last used; null if never. It is not sent.</summary>
    public DateTime? LastUsedAt { get; set; }

    /// <summary>True if it does not count, as it went over a network without encryption. It is not sent.</summary>
    public bool Disabled { get; set; }
}

/// <summary>A new API key. The server keeps only its hash: this is the one time that it is shown.</summary>
public sealed class ApiKeyResult
{
    /// <summary>What it is found by.</summary>
    public string Id { get; set; } = "";

    /// <summary>The key itself, for <c>DocumentStore.ApiKey</c>.</summary>
    public string Key { get; set; } = "";
}
