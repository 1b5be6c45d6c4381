using Raven.Client.Http;

namespace Raven.Client.Documents.Operations.Configuration;

/// <summary>What clients are told to do.</summary>
public sealed record ClientConfiguration
{
    /// <summary>Whether it is passed over.</summary>
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

    /// <summary>What that choice begins with.</summary>
    public int? LoadBalancerContextSeed { get; init; }
}
