namespace Raven.Client.Http;

/// <summary>What the conventions of a store say of sending requests.</summary>
internal interface IRequestConventions
{
    TimeProvider Clock { get; }

    bool DisableTopologyUpdates { get; }

    long MaxHttpCacheSizeBytes { get; }

    ReadBalanceBehavior ReadBalanceBehavior { get; }

    TimeSpan RequestTimeout { get; }

    bool UseHttpCompression { get; }
}
