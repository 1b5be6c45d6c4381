using System.Text.Json;
using Raven.Blittable.Format;
using Raven.Blittable.Reading;
using Raven.Security.Rights;
using Raven.Server.Http;
using Raven.Server.Http.Cluster;
using Raven.Server.Http.Routing;

namespace Raven.Server.Handlers;

/// <summary>The route that takes a folder with the files of a database as one: after a deletion that has kept them, or
/// a move from another server.</summary>
internal static class AttachHandler
{
    [Route("POST", "/admin/databases/attach", Access.Operator, Place = Place.Node, Audit = "database.attached",
        Summary = "Takes a folder below that of all databases as a database")]
    internal static async ValueTask PostAsync(RequestContext request)
    {
        ClusterAnswers.RequireSingle(
            request,
            "Folders are not attached in a cluster: whether another node has the same database cannot be told from its "
            + "files. Restore it from a backup, or start a server with that folder alone and back it up there.");
        BlittableObject body = await BodyReader.ReadObjectAsync(request, BlittableMode.ToMemory).ConfigureAwait(false);
        string name = TextOf(body, "DatabaseName"u8) ?? throw new BadRequestException(
            400, ErrorType.Argument, "DatabaseName must be the name that the database is to have.");
        string? folder = TextOf(body, "DataDirectory"u8);
        request.Announce(database: name, resource: folder);
        string attached = request.Server.Databases.Attachments.Attach(
            name, folder, JsonSerializer.SerializeToUtf8Bytes(new Dictionary<string, string>
            {
                ["DatabaseName"] = name,
            }));
        Utf8JsonWriter json = request.Response.BeginJson();
        json.WriteStartObject();
        json.WriteString("Name"u8, name);
        json.WriteString("DataDirectory"u8, attached);
        json.WriteNumber("RaftCommandIndex"u8, request.Server.NextCommandIndex());
        json.WriteEndObject();
    }

    private static string? TextOf(BlittableObject body, ReadOnlySpan<byte> name) =>
        body.TryGet(name, out BlittableValue value) && value.TryGetString(out string text) && text.Length > 0
            ? text
            : null;
}
