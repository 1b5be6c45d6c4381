using Raven.Client.Documents.Conventions;
using Raven.Client.Http;

namespace Raven.Client.Documents.Operations.Revisions;

/// <summary>Sets when the revisions of deleted documents go.</summary>
/// <param name="configuration">The configuration.</param>
public sealed class ConfigureRevisionsBinCleanerOperation(RevisionsBinConfiguration configuration)
    : IMaintenanceOperation<bool>
{
    /// <inheritdoc/>
    public RavenCommand<bool> GetCommand(DocumentConventions conventions) => new SimpleCommand<bool>(
        node => new UrlBuilder(node, "/admin/revisions/bin-cleaner/config").ToRequest(
            HttpMethod.Post, JsonBody.Of(WireTypes.Write(configuration))),
        _ => true, isRead: false);
}

/// <summary>Reads when the revisions of deleted documents go; null if it is not configured.</summary>
public sealed class GetRevisionsBinCleanerConfigurationOperation : IMaintenanceOperation<RevisionsBinConfiguration>
{
    /// <inheritdoc/>
    public RavenCommand<RevisionsBinConfiguration> GetCommand(DocumentConventions conventions) =>
        Requests.Get<RevisionsBinConfiguration>(node => new UrlBuilder(node, "/revisions/bin-cleaner/config"));
}

/// <summary>When the revisions of deleted documents go.</summary>
public sealed record RevisionsBinConfiguration
{
    /// <summary>Whether they are kept.</summary>
    public bool Disabled { get; init; }

    /// <summary>How many minutes they are kept after the deletion.</summary>
    public int? MinimumEntriesAgeToKeepInMin { get; init; }

    /// <summary>How often the server searches for them, in seconds; null takes its default of 300.</summary>
    public long? RefreshFrequencyInSec { get; init; }

    /// <summary>The most documents whose revisions one search deletes; null for all.</summary>
    public long? MaxItemsToProcess { get; init; }
}
