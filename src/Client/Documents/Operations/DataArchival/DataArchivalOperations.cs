using Raven.Client.Documents.Conventions;
using Raven.Client.Http;

namespace Raven.Client.Documents.Operations.DataArchival;

/// <summary>Sets whether documents are archived.</summary>
/// <param name="configuration">The configuration.</param>
public sealed class ConfigureDataArchivalOperation(DataArchivalConfiguration configuration)
    : IMaintenanceOperation<bool>
{
    /// <inheritdoc/>
    public RavenCommand<bool> GetCommand(DocumentConventions conventions) => new SimpleCommand<bool>(
        node => new UrlBuilder(node, "/admin/data-archival/config").ToRequest(
            HttpMethod.Post, JsonBody.Of(WireTypes.Write(configuration))),
        _ => true, isRead: false);
}

/// <summary>Reads whether documents are archived; null if it is not configured.</summary>
public sealed class GetDataArchivalConfigurationOperation : IMaintenanceOperation<DataArchivalConfiguration>
{
    /// <inheritdoc/>
    public RavenCommand<DataArchivalConfiguration> GetCommand(DocumentConventions conventions) =>
        Requests.Get<DataArchivalConfiguration>(node => new UrlBuilder(node, "/data-archival/config"));
}

/// <summary>Whether documents get <c>@archived</c> at the time in their <c>@archive-at</c>. Indexes and subscriptions
/// leave archived documents out, unless they say otherwise.</summary>
public sealed record DataArchivalConfiguration
{
    /// <summary>Whether archival is off.</summary>
    public bool Disabled { get; init; }

    /// <summary>How often the server searches for documents to archive, in seconds; null takes its default.</summary>
    public long? ArchiveFrequencyInSec { get; init; }

    /// <summary>The most documents that one search archives; null for all.</summary>
    public long? MaxItemsToProcess { get; init; }
}
