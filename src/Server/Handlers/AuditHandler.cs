using System.Text.Json;
using Raven.Security.Rights;
using Raven.Server.Http;
using Raven.Server.Http.Routing;

namespace Raven.Server.Handlers;

/// <summary>The check of the audit log by the server that writes it: it alone has the key while it runs.</summary>
internal static class AuditHandler
{
    [Route("GET", "/admin/audit-log/verify", Access.ClusterAdmin, Place = Place.Node,
        Summary = "Checks the audit log whole: every line, and both of its ends")]
    internal static async ValueTask VerifyAsync(RequestContext request)
    {
        // Reads all files of the log: not on the thread of the connection.
        IReadOnlyList<string>? findings =
            await Task.Run(request.Server.Security.Audit.Verify).ConfigureAwait(false);
        if (findings is null)
        {
            throw new BadRequestException(
                400, ErrorType.Argument, "No audit log is kept: Security.AuditLog.FolderPath names no folder.");
        }

        Utf8JsonWriter json = request.Response.BeginJson();
        json.WriteStartObject();
        json.WriteStartArray("Findings"u8);
        foreach (string finding in findings)
        {
            json.WriteStringValue(finding);
        }

        json.WriteEndArray();
        json.WriteEndObject();
    }
}
