namespace Raven.Client.Http;

/// <summary>The conventions of a store that concern sending requests.</summary>
internal interface IRequestConventions
{
    TimeProvider Clock { get; }

    bool DisableTopologyUpdates { get; }

    long MaxHttpCacheSizeBytes { get; }

    ReadBalanceBehavior ReadBalanceBehavior { get; }

    TimeSpan RequestTimeout { get; }

    bool UseHttpCompression { get; }
}
