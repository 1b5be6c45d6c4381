using System.Text.Json;
using Raven.Documents.Settings;
using Raven.Documents.Subscriptions;

namespace Raven.Server.Http.Subscriptions;

/// <summary>Subscriptions as clients read and write them.</summary>
internal static class SubscriptionJson
{
    /// <summary>Reads what is to be made or changed.</summary>
    /// <param name="request">The request, whose body is read.</param>
    /// <param name="id">The number in its url; null if it has none.</param>
    internal static async ValueTask<SubscriptionChange> ReadAsync(RequestContext request, long? id)
    {
        byte[] body = await JsonBody.ReadAsync(request).ConfigureAwait(false);
        using JsonDocument json = StoredJson.Parse(body);
        JsonElement root = json.RootElement;
        string? archived = Text(root, "ArchivedDataProcessingBehavior");
        return new SubscriptionChange
        {
            Id = id ?? Number(root, "Id"),
            Name = Text(root, "Name") is { Length: > 0 } name ? name : null,
            Query = Text(root, "Query"),
            ChangeVector = Text(root, "ChangeVector"),
            MentorNode = Text(root, "MentorNode"),
            PinToMentorNode = Flag(root, "PinToMentorNode"),
            IsDisabled = Flag(root, "Disabled"),
            Archived = archived is null ? null : ArchivedOf(archived),
            CreatesMissing = Flag(root, "CreateNew") ?? false,
            RequestId = request.Query.GetText("raft-request-id"),
            CommandIndex = request.Server.NextCommandIndex(),
        };
    }

    /// <summary>Reads how archived documents are treated.</summary>
    internal static ArchivedDocuments ArchivedOf(string text) =>
        Enum.TryParse(text, ignoreCase: true, out ArchivedDocuments archived) && char.IsAsciiLetter(text[0])
            ? archived
            : throw new BadRequestException(
                400, ErrorType.Argument,
                "ArchivedDataProcessingBehavior must be one of "
                + $"{string.Join(", ", Enum.GetNames<ArchivedDocuments>())}.");

    /// <summary>Writes the answer to a change.</summary>
    internal static void WriteChanged(RequestContext request, SubscriptionDefinition definition)
    {
        Utf8JsonWriter json = request.Response.BeginJson();
        json.WriteStartObject();
        json.WriteString("Name"u8, definition.Name);
        json.WriteNumber("RaftCommandIndex"u8, definition.CommandIndex);
        json.WriteEndObject();
    }

    /// <summary>Writes the state of a subscription.</summary>
    internal static void WriteState(Utf8JsonWriter json, SubscriptionInfo info)
    {
        json.WriteStartObject();
        WriteCommon(json, info);
        json.WriteString("NodeTag"u8, ServerState.NodeTag);
        json.WriteNumber("RaftCommandIndex"u8, info.Definition.CommandIndex);
        json.WriteNull("ShardingState"u8);
        json.WriteNumber("Lag"u8, info.Lag);
        json.WriteNumber("OwedDocuments"u8, info.OwedCount);
        json.WriteNumber("AsideDocuments"u8, info.AsideCount);
        json.WriteNumber("DocumentsSent"u8, info.Counters.DocumentsSent);
        json.WriteNumber("BatchesAcknowledged"u8, info.Counters.BatchesAcknowledged);
        json.WriteNumber("Failures"u8, info.Counters.Failures);
        json.WriteString("LastError"u8, info.Counters.LastError);
        json.WriteStartArray("Workers"u8);
        foreach (SubscriptionWorker worker in info.Workers)
        {
            json.WriteStartObject();
            json.WriteString("WorkerId"u8, worker.Options.WorkerId);
            json.WriteString("Strategy"u8, worker.Options.Strategy.ToString());
            json.WriteString("Address"u8, worker.Options.Address);
            json.WriteTime("ConnectedAt"u8, TimeOf(worker.ConnectedTicks));
            json.WriteEndObject();
        }

        json.WriteEndArray();
        json.WriteEndObject();
    }

    /// <summary>Writes a subscription as a task.</summary>
    internal static void WriteTask(Utf8JsonWriter json, RequestContext request, SubscriptionInfo info)
    {
        json.WriteStartObject();
        json.WriteNumber("TaskId"u8, info.Definition.Id);
        json.WriteString("TaskType"u8, "Subscription"u8);
        json.WriteString("TaskName"u8, info.Definition.Name);
        json.WriteString("TaskState"u8, info.Definition.IsDisabled ? "Disabled"u8 : "Enabled"u8);
        json.WriteString("TaskConnectionStatus"u8, info.Workers.Count > 0 ? "Active"u8 : "NotActive"u8);
        json.WriteStartObject("ResponsibleNode"u8);
        json.WriteString("NodeTag"u8, request.Server.Cluster.Tag);
        json.WriteString("NodeUrl"u8, request.BaseUrl());
        json.WriteString("ResponsibleNode"u8, request.Server.Cluster.Tag);
        json.WriteEndObject();
        json.WriteNull("ChangeVectorForNextBatchStartingPointPerShard"u8);
        WriteCommon(json, info);
        json.WriteString("Error"u8, info.Counters.LastError);
        json.WriteEndObject();
    }

    private static void WriteCommon(Utf8JsonWriter json, SubscriptionInfo info)
    {
        SubscriptionDefinition definition = info.Definition;
        json.WriteString("Query"u8, definition.Query);
        json.WriteString("ChangeVectorForNextBatchStartingPoint"u8, info.ChangeVector);
        json.WriteNumber("SubscriptionId"u8, definition.Id);
        json.WriteString("SubscriptionName"u8, definition.Name);
        json.WriteString("MentorNode"u8, definition.MentorNode);
        json.WriteBoolean("PinToMentorNode"u8, definition.PinToMentorNode);
        json.WriteTime("LastBatchAckTime"u8, TimeOf(info.Position.AcknowledgedTicks));
        json.WriteTime("LastClientConnectionTime"u8, TimeOf(info.ConnectedTicks));
        json.WriteBoolean("Disabled"u8, definition.IsDisabled);
        json.WriteString("ArchivedDataProcessingBehavior"u8, definition.Archived.ToString());
    }

    private static DateTimeOffset? TimeOf(long ticks) => ticks == 0 ? null : new DateTimeOffset(ticks, TimeSpan.Zero);

    private static string? Text(JsonElement json, string name) => Find(json, name) switch
    {
        null => null,
        { ValueKind: JsonValueKind.String } text => text.GetString(),
        _ => throw new BadRequestException(400, ErrorType.Argument, $"{name} must be a text."),
    };

    private static bool? Flag(JsonElement json, string name) => Find(json, name) switch
    {
        null => null,
        { ValueKind: JsonValueKind.True } => true,
        { ValueKind: JsonValueKind.False } => false,
        _ => throw new BadRequestException(400, ErrorType.Argument, $"{name} must be true or false."),
    };

    private static long? Number(JsonElement json, string name) => Find(json, name) switch
    {
        null => null,
        { ValueKind: JsonValueKind.Number } number when number.TryGetInt64(out long value) => value,
        _ => throw new BadRequestException(400, ErrorType.Argument, $"{name} must be a whole number."),
    };

    private static JsonElement? Find(JsonElement json, string name) =>
        json.TryGetProperty(name, out JsonElement value) && value.ValueKind != JsonValueKind.Null ? value : null;
}
