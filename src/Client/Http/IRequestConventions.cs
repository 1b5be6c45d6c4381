namespace Raven.Client.Http;

/// <summary>The conventions of a store that concern sending requests.</summary>
internal interface IRequestConventions
{
    TimeProvider Clock { get; }

    bool DisableTopologyUpdates { get; }

    long MaxHttpCacheSizeBytes { get; }

    ReadBalanceBehavior ReadBalanceBehavior { get; }

    bool RepeatUncertainWrites { get; }

    TimeSpan RequestTimeout { get; }

    bool UseHttpCompression { get; }
}
