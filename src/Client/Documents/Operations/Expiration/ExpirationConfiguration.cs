namespace Raven.Client.Documents.Operations.Expiration;

/// <summary>Whether documents are deleted at the time in their <c>@expires</c>.</summary>
public sealed record ExpirationConfiguration
{
    /// <summary>Whether they are not deleted.</summary>
    public bool Disabled { get; init; }

    /// <summary>How often the server searches for them, in seconds; null takes the server's default.</summary>
    public long? DeleteFrequencyInSec { get; init; }
}
