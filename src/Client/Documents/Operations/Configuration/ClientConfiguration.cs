using Raven.Client.Http;

namespace Raven.Client.Documents.Operations.Configuration;

/// <summary>Settings that the server gives to its clients.</summary>
public sealed record ClientConfiguration
{
    /// <summary>Whether clients ignore this configuration.</summary>
    public bool Disabled { get; init; }

    /// <summary>The etag of this configuration, which rises with every change.</summary>
    public long Etag { get; init; }

    /// <summary>The most requests of one session.</summary>
    public int? MaxNumberOfRequestsPerSession { get; init; }

    /// <summary>The character between the parts of an id.</summary>
    public string? IdentityPartsSeparator { get; init; }

    /// <summary>Which server a read goes to.</summary>
    public ReadBalanceBehavior? ReadBalanceBehavior { get; init; }

    /// <summary>Which server the requests of a session go to.</summary>
    public LoadBalanceBehavior? LoadBalanceBehavior { get; init; }

    /// <summary>The seed of the choice of <see cref="LoadBalanceBehavior"/>.</summary>
    public int? LoadBalancerContextSeed { get; init; }
}
