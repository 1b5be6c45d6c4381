using System.Buffers.Binary;
using System.IO.Hashing;
using System.Text;
using System.Text.Json;
using Raven.Documents.Catalog;
using Raven.Documents.Indexing.Extensions;
using Raven.Documents.Indexing;
using Raven.Documents.Settings;
using Raven.Documents;
using Raven.Server.Http.Backups;
using Raven.Server.Http.Cluster;
using Raven.Server.Http.Security;

namespace Raven.Server.Http;

/// <summary>
/// The record of a database as clients read it: complete, whatever was sent. Members that the server knows come first,
/// then those that a client sent, then defaults for all others.
/// </summary>
internal static class DatabaseRecordJson
{
    /// <summary>The members of a record, each with its default.</summary>
    private static readonly (string Name, string Json)[] Defaults =
    [
        ("Disabled", "false"), ("Encrypted", "false"), ("EtagForBackup", "0"), ("LockMode", "\"Unlock\""),
        ("DeletionInProgress", "{}"), ("RollingIndexes", "{}"), ("Settings", "{}"), ("Indexes", "{}"),
        ("AutoIndexes", "{}"), ("IndexesHistory", "{}"), ("Sorters", "{}"), ("Analyzers", "{}"),
        ("RavenConnectionStrings", "{}"), ("SqlConnectionStrings", "{}"), ("OlapConnectionStrings", "{}"),
        ("ElasticSearchConnectionStrings", "{}"), ("QueueConnectionStrings", "{}"), ("AiConnectionStrings", "{}"),
        ("ExternalReplications", "[]"), ("SinkPullReplications", "[]"), ("HubPullReplications", "[]"),
        ("PeriodicBackups", "[]"), ("RavenEtls", "[]"), ("SqlEtls", "[]"), ("OlapEtls", "[]"),
        ("ElasticSearchEtls", "[]"), ("QueueEtls", "[]"), ("QueueSinks", "[]"), ("AiAgents", "[]"), ("GenAis", "[]"),
        ("EmbeddingsGenerations", "[]"), ("UnusedDatabaseIds", "[]"), ("TruncatedClusterTransactionIndex", "0"),
        ("TruncatedClusterTransactionCommandsCount", "0"),
        ("DocumentsCompression", """{"Collections":[],"CompressRevisions":false,"CompressAllCollections":false}"""),
        ("ConflictSolverConfig", """{"ResolveByCollection":{},"ResolveToLatest":true}"""),
        ("Sharding", "null"), ("Integrations", "null"),
        ("Studio", "null"), ("Client", "null"),
    ];

    /// <summary>Writes the topology of a database: its group, or this node.</summary>
    internal static void WriteTopology(Utf8JsonWriter json, ServerState server, string name)
    {
        json.WriteStartObject("Topology"u8);
        GroupView? group = server.Cluster.TryGetGroup(name, out GroupView? found) ? found : null;
        if (group != null)
        {
            TopologyJson.WriteTags(json, group);
        }
        else
        {
            json.WriteStartArray("Members"u8);
            json.WriteStringValue(server.Cluster.Tag);
            json.WriteEndArray();
            json.WriteStartArray("Promotables"u8);
            json.WriteEndArray();
            json.WriteStartArray("Rehabs"u8);
            json.WriteEndArray();
        }

        json.WriteStartObject("PredefinedMentors"u8);
        json.WriteEndObject();
        json.WriteStartObject("DemotionReasons"u8);
        json.WriteEndObject();
        json.WriteStartObject("PromotablesStatus"u8);
        json.WriteEndObject();
        json.WriteStartObject("Stamp"u8);
        json.WriteNumber("Index"u8, group?.Etag ?? 1);
        json.WriteNumber("Term"u8, group?.Epoch ?? 1);
        json.WriteNumber("LeadersTicks"u8, 0);
        json.WriteEndObject();
        json.WriteString("DatabaseTopologyIdBase64"u8, IdOf(name, 1));
        json.WriteString("ClusterTransactionIdBase64"u8, IdOf(name, 2));
        json.WriteNumber("ReplicationFactor"u8, group?.Nodes.Count ?? 1);
        json.WriteBoolean("DynamicNodesDistribution"u8, false);
        json.WriteStartArray("PriorityOrder"u8);
        json.WriteEndArray();
        json.WriteTime("NodesModifiedAt"u8, server.StartedAt);
        json.WriteEndObject();
    }

    /// <summary>Writes the settings of a database by name; null for those that it does not have.</summary>
    private static void WriteSettings(Utf8JsonWriter json, DocumentSnapshot? snapshot)
    {
        foreach (string name in RecordSettings.Names)
        {
            byte[]? stored = snapshot is null ? null : RecordSettings.Read(snapshot, name);
            json.WritePropertyName(name);
            if (stored is null)
            {
                json.WriteNullValue();
            }
            else if (name == RecordSettings.Client)
            {
                MemberDefaults.Write(json, ClientConfiguration.Parse(stored));
            }
            else
            {
                MemberDefaults.Write(json, name, stored);
            }
        }
    }

    /// <summary>Answers with a record.</summary>
    internal static void Write(RequestContext request, DatabaseRecord record)
    {
        using JsonDocument stored = StoredJson.Parse(record.Json);
        Utf8JsonWriter json = request.Response.BeginJson();
        json.WriteStartObject();
        json.WriteString("DatabaseName"u8, record.Name);
        json.WriteString("DatabaseState"u8, "Normal"u8);
        WriteTopology(json, request.Server, record.Name);
        json.WriteNumber("Etag"u8, record.Etag);
        HashSet<string> written = [.. RecordSettings.Names, "DatabaseName", "DatabaseState", "Topology", "Etag"];
        if (request.Server.Databases.TryGet(record.Name, out Database? database))
        {
            using DocumentSnapshot? snapshot = RecordSettings.TryBeginRead(database);
            WriteSettings(json, snapshot);
            if (snapshot is not null)
            {
                IndexExtensions extensions = database.Indexes.Extensions;
                ExtensionJson.WriteRecord(json, "Sorters", extensions.All(ExtensionKind.Sorter));
                ExtensionJson.WriteRecord(json, "Analyzers", extensions.All(ExtensionKind.Analyzer));
                IndexAnswers.WriteRecord(json, database.Indexes.All);
                written.UnionWith(["Sorters", "Analyzers", "Indexes", "IndexesHistory", "AutoIndexes"]);
            }
        }

        if (request.Server.Backups.Tasks.TryShowWide(record.Name) is { } backups)
        {
            json.WritePropertyName(BackupTasks.Member);
            backups.WriteTo(json);
            written.Add(BackupTasks.Member);
        }

        foreach (JsonProperty property in stored.RootElement.EnumerateObject())
        {
            if (property.Value.ValueKind != JsonValueKind.Null && written.Add(property.Name))
            {
                SecretMembers.WriteMasked(json, property);
            }
        }

        foreach ((string name, string value) in Defaults)
        {
            if (written.Add(name))
            {
                json.WritePropertyName(name);
                json.WriteRawValue(value, skipInputValidation: true);
            }
        }

        json.WriteEndObject();
    }

    /// <summary>
    /// An id of 22 letters, made of the name: it is the same after a restart, and known even if a database cannot
    /// be opened.
    /// </summary>
    private static string IdOf(string name, ulong kind)
    {
        byte[] text = Encoding.UTF8.GetBytes(name.ToUpperInvariant());
        Span<byte> id = stackalloc byte[16];
        BinaryPrimitives.WriteUInt64LittleEndian(id, XxHash3.HashToUInt64(text, (long)kind));
        BinaryPrimitives.WriteUInt64LittleEndian(id[8..], XxHash3.HashToUInt64(text, (long)~kind));
        return Convert.ToBase64String(id).TrimEnd('=');
    }
}
