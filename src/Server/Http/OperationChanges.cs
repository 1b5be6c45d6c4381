using System.Buffers;
using System.Globalization;
using System.Text.Json;
using Raven.Documents;
using Raven.Documents.Catalog;
using Raven.Documents.Changes;
using Raven.Documents.Operations;

namespace Raven.Server.Http;

/// <summary>Notifies connections that watch operations that one has begun, has new progress or has ended.</summary>
internal static class OperationChanges
{
    internal static void Notify(DatabaseCatalog databases, RunningOperation operation)
    {
        if (!databases.TryGet(operation.Database, out Database? database) || database.Hub.Count == 0)
        {
            return;
        }

        var buffer = new ArrayBufferWriter<byte>();
        using (var json = new Utf8JsonWriter(buffer))
        {
            json.WriteStartObject();
            json.WriteString("Type"u8, "OperationStatusChange"u8);
            json.WriteStartObject("Value"u8);
            json.WriteNumber("OperationId"u8, operation.Id);
            json.WritePropertyName("State"u8);
            OperationJson.WriteState(json, operation);
            json.WriteEndObject();
            json.WriteEndObject();
        }

        database.Hub.Notify(
            buffer.WrittenSpan,
            new ChangeWatch(ChangeWatchKind.AllOperations, ""),
            new ChangeWatch(ChangeWatchKind.Operation, operation.Id.ToString(CultureInfo.InvariantCulture)));
    }
}
