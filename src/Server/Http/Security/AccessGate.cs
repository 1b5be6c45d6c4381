using System.Globalization;
using System.Net;
using System.Text;
using Microsoft.AspNetCore.Connections.Features;
using Microsoft.AspNetCore.Http.Features;
using Microsoft.Extensions.Primitives;
using Raven.Security.Rights;
using Raven.Server.Http.Admission;
using Raven.Server.Http.Routing;

namespace Raven.Server.Http.Security;

//   GATE-1  No handler runs, no database is opened and no byte of a body is read before the gate lets the request in.
//   GATE-2  Who may not read a database cannot tell it from one that does not exist: the gate answers before the
//           database is looked for.

/// <summary>Lets a request in, or answers why not. Safe for all threads.</summary>
internal sealed class AccessGate
{
    private const string Page =
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Raven</title><h1>403: who are you?</h1>"
        + "<p>This server takes no request without an identity. Import a client certificate that is registered here "
        + "into your browser and open this page again, or sign in with an API key in the "
        + "<a href=\"/studio/\">Studio</a>.</p></html>";

    private static readonly byte[] PageBytes = Encoding.UTF8.GetBytes(Page);
    private static readonly StringValues BearerChallenge = "Bearer";

    private readonly ServerSecurity _security;
    private readonly Authenticator? _authenticator;

    internal AccessGate(ServerSecurity security, TimeProvider clock)
    {
        _security = security;
        _authenticator = security.IsSecured ? new Authenticator(security, clock) : null;
    }

    /// <summary>Finds out who sends a request, before anybody looks at what it is.</summary>
    /// <param name="request">The request.</param>
    /// <param name="route">Its route; null if there is none, which a stranger is not told.</param>
    /// <returns>False if the answer is written.</returns>
    internal bool TryIdentify(RequestContext request, Route? route)
    {
        if (request.Caller is { Local: { } local } caller)
        {
            request.Identity = local.Identity;
            _security.Audit.Seen(local.Identity, caller, request);
            return true;
        }

        if (_authenticator == null)
        {
            request.Identity = Identity.Unsecured;
            return request.Headers.Authorization.Count == 0 || !IsKeyInTheClear(request);
        }

        if (route is { Access: Access.Anyone })
        {
            request.Identity = Strangers;
            return true;
        }

        if (_authenticator.Identify(request, out Refusal refusal) is { } identity)
        {
            request.Identity = identity;
            return true;
        }

        Answer(request, refusal);
        return false;
    }

    /// <summary>Whether the identity of a request has the right that its route needs; otherwise answers 403.</summary>
    internal bool MayEnter(RequestContext request)
    {
        Route route = request.Route!;
        if (!MayEnter(request, route, DatabaseOf(request)))
        {
            return false;
        }

        if (_authenticator != null && route.Access != Access.Anyone)
        {
            request.Admit();
        }

        return true;
    }

    /// <summary>The same for a route and a database: for requests within a request.</summary>
    internal bool MayEnter(RequestContext request, Route route, ReadOnlySpan<char> database)
    {
        if (request.Identity.May(route.Access, database))
        {
            return true;
        }

        Refuse(request, route.Access, database);
        return false;
    }

    /// <summary>Answers that a right is missing.</summary>
    internal void Refuse(RequestContext request, Access access, ReadOnlySpan<char> database)
    {
        BadRequestException refusal = RefusalOf(request, access, database);
        ErrorResponse.Write(request, refusal.Status, refusal.Type, refusal.Message);
    }

    /// <summary>The same as an exception, for a handler that finds it out.</summary>
    internal BadRequestException RefusalOf(RequestContext request, Access access, ReadOnlySpan<char> database)
    {
        Identity identity = request.Identity;
        _security.Audit.Denied(identity, request, access, database);
        string about = access is Access.Read or Access.ReadWrite or Access.DatabaseAdmin
            ? $" to the database '{database}'"
            : "";
        return new BadRequestException(
            403, ErrorType.Authorization,
            $"'{identity.Name}' may not do this: {request.Method} {request.Path} needs the right {NameOf(access)}"
            + $"{about}.");
    }

    /// <summary>Who has opened a connection that is not one of HTTP; null with a reason if it is unknown.</summary>
    internal Identity? Identify(Caller caller, IFeatureCollection connection, out string reason)
    {
        reason = "";
        if (_authenticator == null)
        {
            return Identity.Unsecured;
        }

        Identity? identity = _authenticator.Identify(caller, connection, out Refusal refusal);
        reason = refusal.Message ?? "";
        return identity;
    }

    /// <summary>Finds out who signs in, at a route that anyone may ask.</summary>
    /// <returns>The identity of the request's header; null if the answer is written.</returns>
    internal Identity? SignIn(RequestContext request)
    {
        if (_authenticator == null)
        {
            ErrorResponse.Write(
                request, 400, ErrorType.InvalidOperation,
                "This server asks nobody who they are: nobody signs in here.");
            return null;
        }

        if (request.Headers.Authorization.Count == 0)
        {
            Answer(request, new Refusal(
                RefusalKind.Unauthenticated, "Send the API key to sign in with: 'Authorization: Bearer rvk_...'."));
            return null;
        }

        if (_authenticator.Identify(request, out Refusal refusal) is { } identity)
        {
            return identity;
        }

        Answer(request, refusal);
        return null;
    }

    /// <summary>Whether a caller that was let in still has the right that its request needs. Any thread.</summary>
    internal bool MayGoOn(
        Caller caller, string? header, StudioSession? session, Identity before, Access access,
        ReadOnlySpan<char> database) =>
        _authenticator!.FindAgain(caller, header, session, before) is { } found && found.May(access, database);

    /// <summary>Whether who has started an operation still has the right that it needs. Any thread.</summary>
    internal bool MayOperationGoOn(
        Caller caller, string? header, StudioSession? session, Identity before, Access access,
        ReadOnlySpan<char> database) =>
        _authenticator!.FindStarter(caller, header, session, before) is { } found && found.May(access, database);

    /// <summary>Who asks for what anyone may have: nothing else.</summary>
    private static Identity Strangers { get; } = new()
    {
        Kind = IdentityKind.Unsecured,
        Name = "anyone",
        Key = "",
    };

    /// <summary>The name that a right has for callers.</summary>
    internal static string NameOf(Access access) => access == Access.DatabaseAdmin ? "Admin" : access.ToString();

    private static ReadOnlySpan<char> DatabaseOf(RequestContext request) =>
        request.Route!.NeedsDatabase ? request.Capture(0) : default;

    /// <summary>
    /// A key that comes from another machine without encryption has been read by all between: it ends here.
    /// </summary>
    private bool IsKeyInTheClear(RequestContext request)
    {
        Caller caller = request.Caller ??= new Caller(request.Features);
        return !IPAddress.IsLoopback(caller.Address) && _security.DisableIfKey(request, caller);
    }

    private static void Answer(RequestContext request, Refusal refusal)
    {
        UnreadBody.Limit(request);
        switch (refusal.Kind)
        {
            case RefusalKind.TooMany:
                request.Response.Headers.RetryAfter =
                    Math.Ceiling(refusal.Wait.TotalSeconds).ToString(CultureInfo.InvariantCulture);
                ErrorResponse.Write(request, 429, ErrorType.Authentication, refusal.Message);
                if (request.Headers.Authorization.Count == 0 && !request.Caller!.IsBehindProxy)
                {
                    // The certificate stays what it is for as long as the connection lasts.
                    request.Features.Get<IConnectionLifetimeNotificationFeature>()?.RequestClose();
                }

                break;
            case RefusalKind.Unauthenticated:
                request.Response.Headers.WWWAuthenticate = BearerChallenge;
                ErrorResponse.Write(request, 401, ErrorType.Authentication, refusal.Message);
                break;
            default:
                if (request.Caller!.Certificate == null && AsksForPage(request))
                {
                    request.Response.Status = 403;
                    request.Response.Headers.ContentType = "text/html; charset=utf-8";
                    request.Response.Write(PageBytes);
                    break;
                }

                ErrorResponse.Write(request, 403, ErrorType.Authorization, refusal.Message);
                break;
        }
    }

    private static bool AsksForPage(RequestContext request) =>
        request.Headers.Accept is { Count: > 0 } accept
        && accept[0]!.Contains("text/html", StringComparison.OrdinalIgnoreCase);
}
