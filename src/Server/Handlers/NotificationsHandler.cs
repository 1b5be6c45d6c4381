using System.Text.Json;
using Raven.Security.Rights;
using Raven.Server.Diagnostics;
using Raven.Server.Http;
using Raven.Server.Http.Monitoring;
using Raven.Server.Http.Routing;

namespace Raven.Server.Handlers;

/// <summary>The routes of what an operator has to look after, and of what works in the background.</summary>
internal static class NotificationsHandler
{
    private static readonly TimeSpan LookInterval = TimeSpan.FromSeconds(1);

    [Route("GET", "/databases/*/notifications", Access.DatabaseAdmin, Place = Place.Node,
        Summary = "What is wrong with a database")]
    internal static ValueTask GetAsync(RequestContext request) =>
        WriteAsync(request, Alert.Of(request.Server, request.Database));

    [Route("GET", "/server/notifications", Access.Operator, Place = Place.Node,
        Summary = "What is wrong with the server")]
    internal static ValueTask GetOfServerAsync(RequestContext request) =>
        WriteAsync(request, Alert.Of(request.Server));

    [Route("GET", "/databases/*/notification-center/watch", Access.DatabaseAdmin, Place = Place.Node, IsStream = true,
        Summary = "What is wrong with a database, over a WebSocket as it begins")]
    internal static ValueTask WatchAsync(RequestContext request)
    {
        ServerState server = request.Server;
        Raven.Documents.Database database = request.Database;
        return ServeAsync(request, () => Alert.Of(server, database));
    }

    [Route("GET", "/server/notification-center/watch", Access.Operator, Place = Place.Node, IsStream = true,
        Summary = "What is wrong with the server, over a WebSocket as it begins")]
    internal static ValueTask WatchServerAsync(RequestContext request)
    {
        ServerState server = request.Server;
        return ServeAsync(request, () => Alert.Of(server));
    }

    private static ValueTask WriteAsync(RequestContext request, List<Alert> alerts)
    {
        Utf8JsonWriter json = request.Response.BeginJson();
        json.WriteStartObject();
        json.WriteNumber("TotalResults"u8, alerts.Count);
        json.WriteStartArray("Results"u8);
        foreach (Alert alert in alerts)
        {
            json.WriteStartObject();
            Write(json, alert);
            json.WriteEndObject();
        }

        json.WriteEndArray();
        json.WriteEndObject();
        return ValueTask.CompletedTask;
    }

    /// <summary>Looks every second while someone watches. What has ended and begins again is sent again.</summary>
    private static async ValueTask ServeAsync(RequestContext request, Func<List<Alert>> look)
    {
        var source = new Broadcast<Alert>();
        HashSet<Alert> known = [];
        var gate = new Lock();
        using ITimer timer = request.Server.Time.CreateTimer(_ => Look(), null, TimeSpan.Zero, LookInterval);
        await WatchSocket.ServeAsync(request, source, static _ => true, Write).ConfigureAwait(false);

        void Look()
        {
            // A look that takes longer than a second is not joined by the next.
            if (!gate.TryEnter())
            {
                return;
            }

            try
            {
                if (source.IsWatched && !request.Server.Stopping.IsCancellationRequested)
                {
                    List<Alert> now = look();
                    known.IntersectWith(now);
                    now.Where(known.Add).ToList().ForEach(source.Add);
                }
            }
#pragma warning disable CA1031 // An exception that left the thread of a timer would end the process; it is logged.
            catch (Exception e)
#pragma warning restore CA1031
            {
                ServerLog.LookFailed(request.Server.Log, e);
            }
            finally
            {
                gate.Exit();
            }
        }
    }

    private static void Write(Utf8JsonWriter json, Alert alert)
    {
        json.WriteString("Id"u8, alert.Id);
        json.WriteString("Type"u8, "AlertRaised"u8);
        json.WriteString("AlertType"u8, alert.Kind);
        json.WriteString("Severity"u8, alert.IsError ? "Error"u8 : "Warning"u8);
        json.WriteString("Database"u8, alert.Database);
        json.WriteString("Source"u8, alert.Source);
        json.WriteString("Title"u8, alert.Title);
        json.WriteString("Message"u8, alert.Message);
    }
}
