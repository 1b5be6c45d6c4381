using Raven.Client.Documents.Conventions;
using Raven.Client.Http;

namespace Raven.Client.Documents.Operations.Configuration;

/// <summary>Reads the settings for clients of the database; null if none are set.</summary>
public sealed class GetClientConfigurationOperation : IMaintenanceOperation<ClientConfiguration>
{
    /// <inheritdoc/>
    public RavenCommand<ClientConfiguration> GetCommand(DocumentConventions conventions) =>
        Requests.Get(
            node => new UrlBuilder(node, "/configuration/client"),
            json => WireTypes.Read<ClientConfiguration>(json.GetProperty("Configuration")));
}

/// <summary>Sets the settings for clients of the database.</summary>
/// <param name="configuration">The settings.</param>
public sealed class PutClientConfigurationOperation(ClientConfiguration configuration) : IMaintenanceOperation<bool>
{
    /// <inheritdoc/>
    public RavenCommand<bool> GetCommand(DocumentConventions conventions) =>
        Requests.Send(
            HttpMethod.Put, node => new UrlBuilder(node, "/admin/configuration/client"), configuration);
}

/// <summary>Replaces the settings in the record of the database.</summary>
/// <param name="settings">The settings by name; the names are those of the server's options.</param>
public sealed class PutDatabaseSettingsOperation(Dictionary<string, string> settings) : IMaintenanceOperation<bool>
{
    /// <inheritdoc/>
    public RavenCommand<bool> GetCommand(DocumentConventions conventions) =>
        Requests.Send(
            HttpMethod.Put, node => new UrlBuilder(node, "/admin/configuration/settings"), settings);
}
