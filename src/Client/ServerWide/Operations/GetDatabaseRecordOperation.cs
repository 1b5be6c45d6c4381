using System.Text.Json;
using Raven.Client.Documents.Conventions;
using Raven.Client.Http;

namespace Raven.Client.ServerWide.Operations;

/// <summary>Reads the settings of a database; null if there is no such database.</summary>
/// <param name="name">The name of the database.</param>
public sealed class GetDatabaseRecordOperation(string name) : IServerOperation<DatabaseRecord>
{
    /// <inheritdoc/>
    public RavenCommand<DatabaseRecord> GetCommand(DocumentConventions conventions) =>
        new SimpleCommand<DatabaseRecord>(
            node => new UrlBuilder(node, "/admin/databases").Add("name", name).ToRequest(HttpMethod.Get), Read,
            isRead: true);

    private static DatabaseRecord? Read(RavenResponse response)
    {
        if (response.IsNotFound)
        {
            return null;
        }

        JsonElement json = response.ReadJson();
        var record = new DatabaseRecord(json.GetProperty("DatabaseName").GetString()!)
        {
            Disabled = json.TryGetProperty("Disabled", out JsonElement disabled)
                && disabled.ValueKind == JsonValueKind.True,
        };
        if (json.TryGetProperty("Settings", out JsonElement settings) && settings.ValueKind == JsonValueKind.Object)
        {
            foreach (JsonProperty setting in settings.EnumerateObject())
            {
                record.Settings[setting.Name] = setting.Value.GetString();
            }
        }

        return record;
    }
}
