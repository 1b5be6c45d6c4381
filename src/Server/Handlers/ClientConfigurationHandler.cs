using System.Text.Json;
using Raven.Documents.Settings;
using Raven.Security.Rights;
using Raven.Server.Http;
using Raven.Server.Http.Routing;

namespace Raven.Server.Handlers;

/// <summary>
/// The configuration for clients: how many requests a session may make, which character separates the parts of an
/// identity. The configuration of a database goes before that of the server.
/// </summary>
internal static class ClientConfigurationHandler
{
    [Route("GET", "/databases/*/configuration/client", Access.Read, Place = Place.Any,
        Summary = "What clients of a database are told to do")]
    [Route("GET", "/databases/*/admin/configuration/client", Access.DatabaseAdmin, Place = Place.Any,
        Summary = "What clients of a database are told to do")]
    internal static ValueTask GetAsync(RequestContext request)
    {
        using (request.BeginRead())
        {
            // It was opened now, and has its settings.
        }

        ClientConfiguration? database = request.Database.Settings?.Client;
        ClientConfiguration? server = request.Server.Databases.ClientConfiguration;
        // A disabled configuration of the database is answered only if the server has none: the client sees that it is
        // disabled. A disabled one of the server is never answered here.
        ClientConfiguration? chosen = database is { IsDisabled: false } ? database
            : server is { IsDisabled: false } ? server
            : database;
        Utf8JsonWriter json = request.Response.BeginJson();
        json.WriteStartObject();
        json.WriteNumber("Etag"u8, Math.Max(database?.Etag ?? 0, server?.Etag ?? 0));
        json.WritePropertyName("Configuration"u8);
        if (chosen is null)
        {
            json.WriteNullValue();
        }
        else
        {
            MemberDefaults.Write(json, chosen);
        }

        json.WriteNumber("RaftCommandIndex"u8, 0);
        json.WriteEndObject();
        return ValueTask.CompletedTask;
    }

    [Route("PUT", "/databases/*/admin/configuration/client", Access.DatabaseAdmin, Place = Place.Primary,
        Audit = "database.client.configured", Summary = "Says what clients of a database are to do")]
    internal static async ValueTask PutAsync(RequestContext request)
    {
        byte[] json = await ReadAsync(request, request.Database.Settings?.Client).ConfigureAwait(false);
        await request.Database.ConfigureAsync(SettingsStore.ClientConfiguration, json).ConfigureAwait(false);
        request.Response.Status = 204;
    }

    [Route("GET", "/configuration/client", Access.ValidUser, Place = Place.Node,
        Summary = "What clients of all databases are told to do")]
    [Route("GET", "/admin/configuration/client", Access.Operator, Place = Place.Node,
        Summary = "What clients of all databases are told to do")]
    internal static ValueTask GetOfServerAsync(RequestContext request)
    {
        if (request.Server.Databases.ClientConfiguration is { } configuration)
        {
            MemberDefaults.Write(request.Response.BeginJson(), configuration);
        }
        else
        {
            ErrorResponse.Write(
                request, 404, ErrorType.BadRequest, "This server was not told what clients are to do.");
        }

        return ValueTask.CompletedTask;
    }

    [Route("PUT", "/admin/configuration/client", Access.Operator, Place = Place.Node,
        Audit = "server.client.configured", Summary = "Says what clients of all databases are to do")]
    internal static async ValueTask PutOfServerAsync(RequestContext request)
    {
        byte[] json = await ReadAsync(request, request.Server.Databases.ClientConfiguration).ConfigureAwait(false);
        request.Server.Databases.SetClientConfiguration(json);
        request.Response.Status = 204;
    }

    private static async ValueTask<byte[]> ReadAsync(RequestContext request, ClientConfiguration? old)
    {
        byte[] body = await JsonBody.ReadAsync(request).ConfigureAwait(false);
        long etag = ClientConfiguration.NextEtag(request.Server.Time.GetUtcNow(), old);
        try
        {
            byte[] json = ClientConfiguration.Write(etag, body);
            SettingsStore.Check(SettingsStore.ClientConfiguration, json);
            request.Announce();
            return json;
        }
        catch (FormatException e)
        {
            throw new BadRequestException(400, ErrorType.Argument, $"The client configuration is wrong: {e.Message}");
        }
    }
}
