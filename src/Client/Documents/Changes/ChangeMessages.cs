using System.Text.Json;
using Raven.Client.Documents.Operations;

namespace Raven.Client.Documents.Changes;

/// <summary>Reads the server's messages.</summary>
internal static class ChangeMessages
{
    internal static DocumentChange ReadDocument(JsonElement json) => new(
        Enum.TryParse(Text(json, "Type"), out DocumentChangeTypes type) ? type : DocumentChangeTypes.None,
        Text(json, "Id") ?? "", Text(json, "CollectionName"), Text(json, "ChangeVector"));

    internal static IndexChange ReadIndex(JsonElement json) => new(Text(json, "Type") ?? "", Text(json, "Name") ?? "");

    internal static CounterChange ReadCounter(JsonElement json) => new(
        Text(json, "Type") ?? "", Text(json, "Name") ?? "",
        json.TryGetProperty("Value", out JsonElement value) && value.ValueKind == JsonValueKind.Number
            ? value.GetInt64() : 0,
        Text(json, "DocumentId") ?? "", Text(json, "ChangeVector"));

    internal static TimeSeriesChange ReadTimeSeries(JsonElement json) => new(
        Text(json, "Type") ?? "", Text(json, "Name") ?? "", Text(json, "DocumentId") ?? "",
        Text(json, "CollectionName"), Text(json, "ChangeVector"), Time(json, "From"), Time(json, "To"));

    internal static OperationStatusChange ReadOperation(JsonElement json)
    {
        JsonElement state = json.GetProperty("State");
        _ = Enum.TryParse(Text(state, "Status"), out OperationStatus status);
        return new OperationStatusChange(
            json.GetProperty("OperationId").GetInt64(),
            new OperationState(status, Find(state, "Progress"), Find(state, "Result")));
    }

    internal static string? Text(JsonElement json, string name) =>
        json.TryGetProperty(name, out JsonElement value) && value.ValueKind == JsonValueKind.String
            ? value.GetString()
            : null;

    private static DateTime? Time(JsonElement json, string name) =>
        json.TryGetProperty(name, out JsonElement value) && value.ValueKind == JsonValueKind.String
            ? value.GetDateTime()
            : null;

    private static JsonElement? Find(JsonElement json, string name) =>
        json.TryGetProperty(name, out JsonElement value) && value.ValueKind != JsonValueKind.Null ? value : null;
}
