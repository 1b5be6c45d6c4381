namespace Raven.Client.Documents.Operations.Expiration;

/// <summary>Whether documents are deleted at the time in their <c>@expires</c>.</summary>
public sealed record ExpirationConfiguration
{
    /// <summary>Whether they are not.</summary>
    public bool Disabled { get; init; }

    /// <summary>How often it is looked for them, in seconds; null takes the server's.</summary>
    public long? DeleteFrequencyInSec { get; init; }
}
