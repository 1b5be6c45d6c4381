using Raven.Client.Documents.Conventions;
using Raven.Client.Http;

namespace Raven.Client.Documents.Operations.SchemaValidation;

/// <summary>Reads which schemas documents keep to; null if it is not configured.</summary>
public sealed class GetSchemaValidationConfiguration : IMaintenanceOperation<SchemaValidationConfiguration>
{
    /// <inheritdoc/>
    public RavenCommand<SchemaValidationConfiguration> GetCommand(DocumentConventions conventions) =>
        Requests.Get<SchemaValidationConfiguration>(node => new UrlBuilder(node, "/schema-validation/config"));
}
