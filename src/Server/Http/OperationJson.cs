using System.Text.Json;
using Raven.Documents.Operations;

namespace Raven.Server.Http;

/// <summary>The JSON of an operation for clients.</summary>
internal static class OperationJson
{
    /// <summary>The type by which clients recognize that a result is the failure of its operation.</summary>
    private const string FailureType =
        "Raven.Client.Documents.Operations.OperationExceptionResult, Raven.Client";

    /// <summary>Writes <c>{"Status","Progress","Result"}</c>.</summary>
    internal static void WriteState(Utf8JsonWriter json, RunningOperation operation)
    {
        (OperationStatus status, OperationFailure? failure) = operation.State;
        json.WriteStartObject();
        json.WriteString("Status"u8, status.ToString());
        json.WritePropertyName("Progress"u8);
        WriteProgress(json, operation);
        json.WritePropertyName("Result"u8);
        if (failure != null)
        {
            // Each failure of an operation of the server is described by its one mapping.
            var answer = (FailureAnswer)failure;
            json.WriteStartObject();
            json.WriteString("$type"u8, FailureType);
            json.WriteString("Type"u8, answer.Type);
            json.WriteString("Message"u8, answer.Message);
            json.WriteString("Error"u8, ErrorType.Before(answer.Type, answer.Message));
            json.WriteNumber("StatusCode"u8, answer.StatusCode);
            json.WriteEndObject();
        }
        else if (status == OperationStatus.Completed)
        {
            json.WriteStartObject();
            json.WriteNumber("Processed"u8, operation.Processed);
            json.WriteNumber("Total"u8, Math.Max(operation.Total, operation.Processed));
            foreach ((string name, double figure) in operation.Figures)
            {
                json.WriteNumber(name, figure);
            }

            operation.Detail?.Write(json);
            json.WriteEndObject();
        }
        else
        {
            json.WriteNullValue();
        }

        json.WriteEndObject();
    }

    /// <summary>Writes <c>{"OperationId","OperationNodeTag"}</c>, with which a client asks for the state of
    /// an operation.</summary>
    internal static void WriteStarted(RequestContext request, RunningOperation operation)
    {
        Utf8JsonWriter json = request.Response.BeginJson();
        json.WriteStartObject();
        json.WriteNumber("OperationId"u8, operation.Id);
        json.WriteString("OperationNodeTag"u8, request.Server.Cluster.Tag);
        json.WriteEndObject();
    }

    private static void WriteProgress(Utf8JsonWriter json, RunningOperation operation)
    {
        json.WriteStartObject();
        json.WriteNumber("Processed"u8, operation.Processed);
        json.WriteNumber("Total"u8, Math.Max(operation.Total, operation.Processed));
        if (operation.BulkInsert is { } inserted)
        {
            json.WriteNumber("BatchCount"u8, inserted.Batches);
            json.WriteString("LastProcessedId"u8, inserted.LastId);
            json.WriteNumber("DocumentsProcessed"u8, inserted.Documents);
            json.WriteNumber("AttachmentsProcessed"u8, inserted.Attachments);
            json.WriteNumber("CountersProcessed"u8, inserted.Counters);
            json.WriteNumber("TimeSeriesProcessed"u8, inserted.TimeSeries);
        }

        operation.Detail?.Write(json);
        json.WriteEndObject();
    }
}
