using Raven.Client.Http;

namespace Raven.Client.Documents.Operations.Configuration;

/// <summary>Settings that the server gives to its clients.</summary>
public sealed record ClientConfiguration
{
    /// <summary>Whether clients ignore it.</summary>
    public bool Disabled { get; init; }

    /// <summary>The number of this configuration.</summary>
    public long Etag { get; init; }

    /// <summary>The most requests of one session.</summary>
    public int? MaxNumberOfRequestsPerSession { get; init; }

    /// <summary>What separates the parts of an id.</summary>
    public string? IdentityPartsSeparator { get; init; }

    /// <summary>Which server a read goes to.</summary>
    public ReadBalanceBehavior? ReadBalanceBehavior { get; init; }

    /// <summary>Which server the requests of a session go to.</summary>
    public LoadBalanceBehavior? LoadBalanceBehavior { get; init; }

    /// <summary>The seed of that choice.</summary>
    public int? LoadBalancerContextSeed { get; init; }
}
