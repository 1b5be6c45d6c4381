using Raven.Client.Documents.Conventions;
using Raven.Client.Http;

namespace Raven.Client.Documents.Operations.SchemaValidation;

/// <summary>
/// Sets which schemas the documents of collections keep to. A write of one that does not fails with a
/// <see cref="Exceptions.SchemaValidation.SchemaValidationException"/>; documents from before stay as they are.
/// </summary>
/// <param name="configuration">All schemas of the database; those that it does not name end.</param>
public sealed class ConfigureSchemaValidationOperation(SchemaValidationConfiguration configuration)
    : IMaintenanceOperation<bool>
{
    /// <inheritdoc/>
    public RavenCommand<bool> GetCommand(DocumentConventions conventions) => new SimpleCommand<bool>(
        node => new UrlBuilder(node, "/admin/schema-validation/config").ToRequest(
            HttpMethod.Post, JsonBody.Of(WireTypes.Write(configuration))),
        _ => true, isRead: false);
}

/// <summary>Reads which documents of a collection break its schema: those from before it.</summary>
/// <param name="collection">The collection.</param>
/// <param name="etag">Where to begin: 0, or <see cref="SchemaViolations.NextEtag"/> of the page before.</param>
/// <param name="pageSize">The most documents that are named.</param>
public sealed class GetSchemaViolationsOperation(string collection, long etag = 0, int pageSize = 25)
    : IMaintenanceOperation<SchemaViolations>
{
    /// <inheritdoc/>
    public RavenCommand<SchemaViolations> GetCommand(DocumentConventions conventions) =>
        Requests.Get<SchemaViolations>(node => new UrlBuilder(node, "/schema-validation/violations")
            .Add("collection", collection).Add("etag", etag).Add("pageSize", pageSize));
}
