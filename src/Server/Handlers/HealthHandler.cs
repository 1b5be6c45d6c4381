using System.Text.Json;
using Raven.Server.Documents;
using Raven.Server.Http;
using Raven.Server.Routing;

namespace Raven.Server.Handlers;

/// <summary>Whether this server is well, for whoever restarts or replaces it.</summary>
internal static class HealthHandler
{
    [Route("GET", "/healthz", Access = Access.Anyone, Summary = "200 where all is well, 503 and what is wrong")]
    internal static ValueTask GetAsync(RequestContext request)
    {
        ServerState server = request.Server;
        List<(string Name, string Fault)> faults = [];
        foreach (string name in server.Databases.Names())
        {
            if (server.Databases.TryGet(name, out Database? database) && database.Fault is { } fault)
            {
                faults.Add((name, fault));
            }
        }

        bool isStopping = server.Stopping.IsCancellationRequested;
        request.Response.Status = faults.Count == 0 && !isStopping ? 200 : 503;
        Utf8JsonWriter json = request.Response.BeginJson();
        json.WriteStartObject();
        json.WriteString("Status"u8, isStopping ? "Stopping" : faults.Count == 0 ? "Healthy" : "Faulted");
        json.WriteNumber("Databases"u8, server.Databases.Count);
        json.WriteStartObject("Faults"u8);
        foreach ((string name, string fault) in faults)
        {
            json.WriteString(name, fault);
        }

        json.WriteEndObject();
        json.WriteEndObject();
        return ValueTask.CompletedTask;
    }
}
