using Raven.Client.Documents.Conventions;
using Raven.Client.Http;

namespace Raven.Client.Documents.Operations.Configuration;

/// <summary>Replaces the settings in the record of the database.</summary>
/// <param name="settings">The settings, by the names of the server's.</param>
public sealed class PutDatabaseSettingsOperation(Dictionary<string, string> settings) : IMaintenanceOperation<bool>
{
    /// <inheritdoc/>
    public RavenCommand<bool> GetCommand(DocumentConventions conventions) =>
        Requests.Send(
            HttpMethod.Put, node => new UrlBuilder(node, "/admin/configuration/settings"), settings);
}
