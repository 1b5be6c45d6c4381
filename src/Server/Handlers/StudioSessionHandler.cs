using System.Text.Json;
using Raven.Security.Rights;
using Raven.Server.Http;
using Raven.Server.Http.Admission;
using Raven.Server.Http.Routing;
using Raven.Server.Http.Security;

namespace Raven.Server.Handlers;

/// <summary>
/// The routes by which a browser signs in with an API key, and out. No body is read: whoever asks is a stranger.
/// </summary>
internal static class StudioSessionHandler
{
    [Route("POST", "/studio/session", Access.Anyone, Place = Place.Node, HoldsSecrets = true,
        Summary = "Signs a browser in with the API key of the Authorization header: a cookie that ends with the key")]
    internal static ValueTask PostAsync(RequestContext request)
    {
        UnreadBody.Limit(request);
        ServerSecurity security = request.Server.Security;
        if (StudioCookie.IsOfOtherPage(request))
        {
            throw new BadRequestException(
                403, ErrorType.Authorization,
                "A session is begun by a page of this server: the browser says that another one sends the request.");
        }

        if (security.Gate.SignIn(request) is not { } identity)
        {
            return ValueTask.CompletedTask;
        }

        string key = Authenticator.TokenIn(request.Headers.Authorization.ToString()).ToString();
        if (identity.Kind != IdentityKind.ApiKey)
        {
            throw new BadRequestException(
                400, ErrorType.Argument, $"A session is begun with an API key, not with a {identity.Kind}.");
        }

        End(request, security);
        string token = security.Sessions.Begin(key, identity.Key, out StudioSession session);
        security.Audit.Session("session.begun", identity, request, identity.Key);
        StudioCookie.Set(request, token, StudioSessions.Length);
        Utf8JsonWriter json = request.Response.BeginJson();
        json.WriteStartObject();
        json.WriteString("Name"u8, identity.Name);
        json.WriteTime("EndsAt"u8, identity.NotAfter < session.EndsAt ? identity.NotAfter : session.EndsAt);
        json.WriteEndObject();
        return ValueTask.CompletedTask;
    }

    [Route("DELETE", "/studio/session", Access.Anyone, Place = Place.Node, HoldsSecrets = true,
        Summary = "Signs a browser out, and takes its cookie")]
    internal static ValueTask DeleteAsync(RequestContext request)
    {
        UnreadBody.Limit(request);
        ServerSecurity security = request.Server.Security;
        End(request, security);
        StudioCookie.Clear(request);
        request.Response.Status = 204;
        return ValueTask.CompletedTask;
    }

    /// <summary>Ends the session of the cookie, if there is one.</summary>
    private static void End(RequestContext request, ServerSecurity security)
    {
        if (StudioCookie.TryRead(request, out ReadOnlySpan<char> token)
            && security.Sessions.End(token) is { } session)
        {
            // A proxy that says nothing readable of its client is the caller itself: whoever has the cookie may end it.
            security.Proxies.TryPass(request, request.Caller!, out _);
            Identity? by = security.Trust.Current.FindKey(session.KeyId) is { } key ? session.IdentityOf(key) : null;
            security.Audit.Session("session.ended", by, request, session.KeyId);
        }
    }
}
