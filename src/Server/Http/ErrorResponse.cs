using System.Text.Json;
using Raven.Documents.Rules;

namespace Raven.Server.Http;

/// <summary>
/// The one place where a failure becomes an answer: <c>{"Url","Type","Message","Error"}</c>, as RavenDB's clients read
/// it. Before the answer has started it replaces what was buffered; after that, the connection is closed.
/// </summary>
public static class ErrorResponse
{
    /// <summary>Answers with an error.</summary>
    /// <param name="request">The request; nothing more may be written to its answer.</param>
    /// <param name="status">The HTTP status, 400 or more.</param>
    /// <param name="type">The name that clients know the failure by.</param>
    /// <param name="message">What is wrong, and where.</param>
    /// <param name="error">More details; null for the message. The type is written before it.</param>
    public static void Write(RequestContext request, int status, string type, string message, string? error = null)
    {
        ArgumentNullException.ThrowIfNull(request);
        if (request.Response.HasStarted)
        {
            request.Abort();
            return;
        }

        Utf8JsonWriter json = Begin(request, status);
        WriteOpen(json, request, type, message, error);
        json.WriteEndObject();
    }

    /// <summary>The 409 of a write whose change vector does not match: names the document and both vectors.</summary>
    public static void WriteConflict(
        RequestContext request, string type, string message, string? id, string? expected, string? actual)
    {
        ArgumentNullException.ThrowIfNull(request);
        if (request.Response.HasStarted)
        {
            request.Abort();
            return;
        }

        Utf8JsonWriter json = Begin(request, 409);
        WriteOpen(json, request, type, message, null);
        json.WriteString("Id"u8, id);
        json.WriteString("ExpectedChangeVector"u8, expected);
        json.WriteString("ActualChangeVector"u8, actual);
        json.WriteEndObject();
    }

    /// <summary>The 409 of a write with a value that another document has, and only one may have: says which.</summary>
    internal static void WriteNotUnique(RequestContext request, string type, UniqueConflict conflict)
    {
        if (request.Response.HasStarted)
        {
            request.Abort();
            return;
        }

        Utf8JsonWriter json = Begin(request, 409);
        WriteOpen(json, request, type, conflict.Describe(), null);
        json.WriteString("Id"u8, conflict.Id);
        json.WriteString("Holder"u8, conflict.Holder);
        json.WriteString("Collection"u8, conflict.Collection);
        json.WriteString("Constraint"u8, conflict.Constraint);
        WriteTexts(json, "Fields"u8, conflict.Fields);
        WriteTexts(json, "Values"u8, conflict.Values);
        json.WriteEndObject();
    }

    /// <summary>The 410 of a feed whose token names changes that are lost: says from which token on it can be
    /// read.</summary>
    internal static void WriteFeedLost(RequestContext request, string type, string message, string oldest)
    {
        if (request.Response.HasStarted)
        {
            request.Abort();
            return;
        }

        Utf8JsonWriter json = Begin(request, 410);
        WriteOpen(json, request, type, message, null);
        json.WriteString("OldestToken"u8, oldest);
        json.WriteEndObject();
    }

    private static void WriteTexts(Utf8JsonWriter json, ReadOnlySpan<byte> name, IReadOnlyList<string> texts)
    {
        json.WriteStartArray(name);
        foreach (string text in texts)
        {
            json.WriteStringValue(text);
        }

        json.WriteEndArray();
    }

    private static Utf8JsonWriter Begin(RequestContext request, int status)
    {
        request.Response.Clear();
        request.Response.Status = status;

        // Caches may keep a 404 or a 405 for as long as they like otherwise.
        request.Response.ForbidStoring();
        return request.Response.BeginJson();
    }

    private static void WriteOpen(
        Utf8JsonWriter json, RequestContext request, string type, string message, string? error)
    {
        json.WriteStartObject();
        json.WriteString("Url"u8, request.Path + request.QueryString);
        json.WriteString("Type"u8, type);
        json.WriteString("Message"u8, message);
        json.WriteString("Error"u8, ErrorType.Before(type, error ?? message));
    }
}
