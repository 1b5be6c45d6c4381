using Raven.Client.Documents.Conventions;
using Raven.Client.Http;

namespace Raven.Client.Documents.Operations.UniqueConstraints;

/// <summary>
/// Sets which values only one document of a collection may have. A write with such a value that another document has
/// fails with a <see cref="Exceptions.Documents.UniqueConstraintException"/>.
/// </summary>
/// <param name="configuration">All constraints of the database; those that it does not name end.</param>
public sealed class ConfigureUniqueConstraintsOperation(UniqueConstraintsConfiguration configuration)
    : IMaintenanceOperation<bool>
{
    /// <inheritdoc/>
    public RavenCommand<bool> GetCommand(DocumentConventions conventions) => new SimpleCommand<bool>(
        node => new UrlBuilder(node, "/admin/unique-constraints/config").ToRequest(
            HttpMethod.Post, JsonBody.Of(WireTypes.Write(configuration))),
        _ => true, isRead: false);
}

/// <summary>Reads which values are unique; null if it is not configured.</summary>
public sealed class GetUniqueConstraintsConfigurationOperation : IMaintenanceOperation<UniqueConstraintsConfiguration>
{
    /// <inheritdoc/>
    public RavenCommand<UniqueConstraintsConfiguration> GetCommand(DocumentConventions conventions) =>
        Requests.Get<UniqueConstraintsConfiguration>(node => new UrlBuilder(node, "/unique-constraints/config"));
}

/// <summary>Reads which constraints are in effect, and which values documents share otherwise.</summary>
public sealed class GetUniqueConstraintsStateOperation : IMaintenanceOperation<UniqueConstraintsState>
{
    /// <inheritdoc/>
    public RavenCommand<UniqueConstraintsState> GetCommand(DocumentConventions conventions) =>
        Requests.Get<UniqueConstraintsState>(node => new UrlBuilder(node, "/unique-constraints/state"));
}
