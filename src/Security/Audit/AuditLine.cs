using System.Buffers;
using System.Globalization;
using System.Text.Json;
using Raven.Security.Rights;

namespace Raven.Security.Audit;

/// <summary>
/// One line of the log as JSON. What clients send stands in it as text that is escaped and cut: a line stays a line.
/// </summary>
internal static class AuditLine
{
    /// <summary>How much of one value is kept, in characters.</summary>
    internal const int ValueLengthMax = 4096;

    internal static byte[] Write(AuditEvent what, AuditChain before, DateTimeOffset now)
    {
        var buffer = new ArrayBufferWriter<byte>(512);
        using var json = new Utf8JsonWriter(buffer);
        json.WriteStartObject();
        json.WriteNumber("n", before.Number + 1);
        json.WriteString("prev", before.Hash);
        json.WriteString(
            "at", now.UtcDateTime.ToString("yyyy-MM-dd'T'HH:mm:ss.fffffff'Z'", CultureInfo.InvariantCulture));
        json.WriteString("event", what.Name);
        json.WriteString("outcome", what.Outcome switch
        {
            AuditOutcome.Denied => "denied",
            AuditOutcome.Failed => "failed",
            _ => "ok",
        });
        WriteWho(json, what.By);
        WriteText(json, "from", what.From);
        WriteText(json, "proxyFor", what.ProxyFor);
        WriteText(json, "database", what.Database);
        WriteText(json, "resource", what.Resource);
        if (what.Detail.Count > 0)
        {
            json.WriteStartObject("detail");
            foreach ((string name, string value) in what.Detail)
            {
                WriteText(json, name, value);
            }

            json.WriteEndObject();
        }

        WriteText(json, "requestId", what.RequestId);
        json.WriteEndObject();
        json.Flush();
        return buffer.WrittenSpan.ToArray();
    }

    private static void WriteWho(Utf8JsonWriter json, Identity? by)
    {
        if (by == null)
        {
            return;
        }

        json.WriteStartObject("who");
        json.WriteString("kind", by.Kind.ToString());
        WriteText(json, "name", by.Name);
        if (by.Key.Length > 0)
        {
            WriteText(json, by.Kind == IdentityKind.Certificate ? "thumbprint" : "keyId", by.Key);
        }

        json.WriteEndObject();
    }

    private static void WriteText(Utf8JsonWriter json, string name, string? value)
    {
        if (value is { Length: > 0 })
        {
            json.WriteString(name, value.AsSpan(0, Math.Min(value.Length, ValueLengthMax)));
        }
    }
}
