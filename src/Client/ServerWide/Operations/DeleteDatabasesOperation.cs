using Raven.Client.Documents.Conventions;
using Raven.Client.Http;

namespace Raven.Client.ServerWide.Operations;

/// <summary>Deletes databases.</summary>
/// <param name="names">The names of the databases.</param>
/// <param name="hardDelete">Whether their files are deleted too.</param>
public sealed class DeleteDatabasesOperation(IReadOnlyList<string> names, bool hardDelete) : IServerOperation<bool>
{
    /// <summary>Deletes one database.</summary>
    public DeleteDatabasesOperation(string name, bool hardDelete)
        : this([name], hardDelete)
    {
    }

    /// <inheritdoc/>
    public RavenCommand<bool> GetCommand(DocumentConventions conventions) => new SimpleCommand<bool>(
        node => new UrlBuilder(node, "/admin/databases").ToRequest(HttpMethod.Delete, JsonBody.Write(writer =>
        {
            writer.WriteStartObject();
            writer.WriteStartArray("DatabaseNames"u8);
            foreach (string name in names)
            {
                writer.WriteStringValue(name);
            }

            writer.WriteEndArray();
            writer.WriteBoolean("HardDelete"u8, hardDelete);
            writer.WriteEndObject();
        })),
        response => !response.IsNotFound, isRead: false);
}
