using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using Microsoft.AspNetCore.Http.Features;
using Microsoft.Extensions.Primitives;
using Raven.Security.Registry;
using Raven.Security.Rights;
using Raven.Server.Http.Forwarding;

namespace Raven.Server.Http.Security;

//   AUTH-1  A caller has one identity: that of its Authorization header if there is one, otherwise that of the session
//           in its cookie if there is one, otherwise that of its certificate. A header or a session that does not count
//           is an error, also beside a certificate that does.
//   AUTH-2  A connection keeps the identity that it found as long as the registry has the same version and the header
//           is the same, but never beyond the end of the identity, and for a second at most: a clock may be set.
//   AUTH-3  Whoever has no identity costs a bounded amount: nothing of a body is read before there is one, and a
//           certificate that is not registered is looked for once a connection and version of the registry.

/// <summary>Finds out who sends a request. Safe for all threads.</summary>
internal sealed class Authenticator
{
    private const string Scheme = "Bearer ";

    private static readonly StringValues PrivateAnswer = "private, no-cache";
    private static readonly TimeSpan LookAgainAfter = TimeSpan.FromSeconds(1);

    private readonly ServerSecurity _security;
    private readonly TimeProvider _clock;

    internal Authenticator(ServerSecurity security, TimeProvider clock)
    {
        _security = security;
        _clock = clock;
    }

    /// <summary>
    /// The identity of a request. In the steady state it compares a version, a header and a time stamp, and allocates
    /// nothing.
    /// </summary>
    /// <param name="request">The request.</param>
    /// <param name="refusal">Why there is none.</param>
    /// <returns>Null if there is none.</returns>
    internal Identity? Identify(RequestContext request, out Refusal refusal)
    {
        Caller caller = request.Caller!;
        if (!_security.Proxies.TryPass(request, caller, out refusal))
        {
            return null;
        }

        StringValues headers = request.Headers.Authorization;
        caller.SignedInWith = null;
        if (request.IsForwarded && headers.Count == 0
            && request.Headers[ForwardHeaders.Session] is { Count: 1 } signedIn)
        {
            return OfSessionElsewhere(caller, signedIn.ToString(), out refusal);
        }

        if (headers.Count == 0 && StudioCookie.TryRead(request, out ReadOnlySpan<char> token))
        {
            return OfSession(request, caller, token, out refusal);
        }

        string? header = headers.Count == 0 ? null : headers.Count == 1 ? headers[0] : headers.ToString();
        if (caller.Identity is { } known && caller.Version == _security.Trust.Current.Version
            && request.StartedTimestamp < caller.CountsUntil && string.Equals(caller.Header, header))
        {
            return known;
        }

        // The version is read first: an identity that is found in a later one is only looked up once more.
        long version = _security.Trust.Current.Version;
        caller.Identity = null;
        caller.Session = null;
        Identity? found = header == null
            ? OfCertificate(caller, out refusal)
            : OfHeader(caller, headers, out refusal);
        if (found == null)
        {
            if (header == null && refusal.Kind == RefusalKind.Forbidden && StudioCookie.IsSameOrigin(request))
            {
                // A page of this server, whose user can sign in: by a 403 it would seem that a right is missing.
                refusal = refusal with { Kind = RefusalKind.Unauthenticated };
            }

            return null;
        }

        DateTimeOffset now = _clock.GetUtcNow();
        TimeSpan left = found.NotAfter - now;
        TimeSpan counts = left < LookAgainAfter ? left : LookAgainAfter;
        caller.Identity = found;
        caller.Header = header;
        caller.Version = version;
        caller.CountsUntil = request.StartedTimestamp + (long)(counts.TotalSeconds * _clock.TimestampFrequency);
        _security.Audit.Seen(found, caller, request);
        return found;
    }

    /// <summary>The identity of a connection that is not one of HTTP: that of its certificate.</summary>
    /// <param name="caller">The caller.</param>
    /// <param name="connection">The features of the connection.</param>
    /// <param name="refusal">Why there is none.</param>
    internal Identity? Identify(Caller caller, IFeatureCollection connection, out Refusal refusal)
    {
        Identity? found = OfCertificate(caller, out refusal);
        if (found != null)
        {
            _security.Audit.Accepted(found, caller, connection);
        }

        return found;
    }

    /// <summary>
    /// The identity that a caller has now, for a request that has been let in before: found anew, by the same
    /// certificate or header. It counts neither as a use nor as a failed login. Any thread.
    /// </summary>
    /// <param name="caller">The caller.</param>
    /// <param name="header">The header of the request; null if there was none.</param>
    /// <param name="session">The session of its cookie; null if it came by none.</param>
    /// <param name="before">The identity with which it was let in.</param>
    /// <returns>Null if there is none any more.</returns>
    internal Identity? FindAgain(Caller caller, string? header, StudioSession? session, Identity before)
    {
        DateTimeOffset now = _clock.GetUtcNow();
        if (!before.IsValidAt(now))
        {
            return null;
        }

        if (session != null)
        {
            return session.FindKey(_security.Trust.Current, now, caller.Address) is { } its
                ? session.IdentityOf(its)
                : null;
        }

        if (before.Kind == IdentityKind.ApiKey)
        {
            if (header == null && caller.SignedInWith is { } id)
            {
                return KeyOf(id, caller, now)?.Identity;
            }

            return header != null && TryKey(TokenIn(header), caller, out RegisteredKey? key) ? key!.Identity : null;
        }

        if (before.Kind != IdentityKind.Certificate)
        {
            // What a token says holds until it ends.
            return before;
        }

        try
        {
            Identity? found = _security.Trust.Current.FindCertificate(caller.Digest!)?.Identity
                ?? (_security.IsWellKnown(caller.Certificate!) ? before : null);
            return found != null && found.IsValidAt(now) ? found : null;
        }
        catch (CryptographicException)
        {
            // The connection has ended, and its certificate with it.
            return null;
        }
    }

    /// <summary>
    /// The identity that who has started an operation has now, as <see cref="FindAgain"/> finds it. The session of a
    /// browser stands for its key (SESS-1), and may have ended.
    /// </summary>
    internal Identity? FindStarter(Caller caller, string? header, StudioSession? session, Identity before) =>
        session == null
            ? FindAgain(caller, header, null, before)
            : session.FindKeyItself(_security.Trust.Current, _clock.GetUtcNow(), caller.Address)?.Identity;

    /// <summary>The identity of a session. It is looked up each time: whoever signs out is out at once.</summary>
    private Identity? OfSession(
        RequestContext request, Caller caller, ReadOnlySpan<char> token, out Refusal refusal)
    {
        caller.Identity = null;
        caller.Header = null;
        caller.CountsUntil = long.MinValue;
        caller.Version = _security.Trust.Current.Version;
        caller.Session = _security.Sessions.Find(token);
        DateTimeOffset now = _clock.GetUtcNow();
        if (caller.Session?.FindKey(_security.Trust.Current, now, caller.Address) is not { } key)
        {
            caller.Session = null;
            StudioCookie.Clear(request);
            refusal = OfEndedSession(caller, token);
            return null;
        }

        if (!StudioCookie.IsOfOwnPage(request))
        {
            refusal = new Refusal(
                RefusalKind.Forbidden,
                "A session is for pages of this server: the browser must say that one sends the request "
                + "(Sec-Fetch-Site: same-origin). Programs send the API key ('Authorization: Bearer').");
            return null;
        }

        refusal = default;
        key.LastUse.Note(now);
        Identity found = caller.Session.IdentityOf(key);
        caller.Identity = found;
        if (request.Response.Headers.CacheControl.Count == 0)
        {
            // Caches know that the answer to an Authorization is for its sender alone; of cookies they know nothing.
            request.Response.Headers.CacheControl = PrivateAnswer;
        }

        _security.Audit.Seen(found, caller, request);
        return found;
    }

    /// <summary>The identity of a client that has signed in at the node that passes its request on: that of the key,
    /// as it counts here.</summary>
    private Identity? OfSessionElsewhere(Caller caller, string keyId, out Refusal refusal)
    {
        caller.Identity = null;
        caller.Header = null;
        caller.Session = null;
        caller.CountsUntil = long.MinValue;
        DateTimeOffset now = _clock.GetUtcNow();
        if (KeyOf(keyId, caller, now) is not { } key)
        {
            refusal = new Refusal(
                RefusalKind.Unauthenticated,
                "The API key with which you have signed in does not count on the node that does this. Sign in again.");
            return null;
        }

        refusal = default;
        key.LastUse.Note(now);
        caller.SignedInWith = keyId;
        return key.Identity;
    }

    private RegisteredKey? KeyOf(string id, Caller caller, DateTimeOffset now) =>
        _security.Trust.Current.FindKey(id) is { IsDisabled: false } key && key.Identity.IsValidAt(now)
            && key.IsAllowedFrom(caller.Address)
            ? key
            : null;

    /// <summary>What may be the cookie of a session is no failed login: nobody guesses 256 random bits, and when a
    /// server starts anew all tabs behind one address come with theirs.</summary>
    private Refusal OfEndedSession(Caller caller, ReadOnlySpan<char> token)
    {
        const string ended = "The session has ended. Sign in again.";
        if (StudioSessions.IsToken(token))
        {
            _security.Audit.Refused(caller, ended);
            return new Refusal(RefusalKind.Unauthenticated, ended);
        }

        Refusal failed = Failed(caller, ended);
        return failed.Kind == RefusalKind.TooMany ? failed : failed with { Kind = RefusalKind.Unauthenticated };
    }

    private Identity? OfCertificate(Caller caller, out Refusal refusal)
    {
        if (caller.Certificate is not { } certificate)
        {
            _security.Audit.RefusedStranger(caller);
            refusal = new Refusal(
                RefusalKind.Forbidden,
                "This server takes no request without an identity: send a client certificate that is registered "
                + "here, or an API key ('Authorization: Bearer'). An administrator of the server registers either.");
            return null;
        }

        Identity? identity = Find(caller, certificate);
        if (identity == null)
        {
            refusal = Failed(
                caller,
                $"The client certificate with the thumbprint {certificate.Thumbprint} is not registered here. An "
                + "administrator of the server registers it (PUT /admin/certificates).");
            return null;
        }

        refusal = default;
        DateTimeOffset now = _clock.GetUtcNow();
        if (!identity.IsValidAt(now))
        {
            refusal = Failed(
                caller,
                now > identity.NotAfter
                    ? $"The client certificate with the thumbprint {certificate.Thumbprint} expired on "
                        + $"{identity.NotAfter:yyyy-MM-dd HH:mm}Z."
                    : $"The client certificate with the thumbprint {certificate.Thumbprint} does not count before "
                        + $"{identity.NotBefore:yyyy-MM-dd HH:mm}Z.");
            return null;
        }

        return identity;
    }

    private Identity? Find(Caller caller, X509Certificate2 certificate)
    {
        TrustSnapshot trust = _security.Trust.Current;
        if (trust.Version == caller.UnknownIn)
        {
            return null;
        }

        if (trust.FindCertificate(caller.Digest!) is { } registered)
        {
            registered.LastUse.Note(_clock.GetUtcNow());
            return registered.Identity;
        }

        if (_security.IsWellKnown(certificate))
        {
            return new Identity
            {
                Kind = IdentityKind.Certificate,
                Name = certificate.GetNameInfo(X509NameType.SimpleName, forIssuer: false),
                Key = certificate.Thumbprint,
                Clearance = Clearance.ClusterAdmin,
                NotBefore = certificate.NotBefore.ToUniversalTime(),
                NotAfter = certificate.NotAfter.ToUniversalTime(),
            };
        }

        if (_security.TryRenew(certificate) is { } renewal)
        {
            return renewal.Identity;
        }

        caller.UnknownIn = trust.Version;
        return null;
    }

    private Identity? OfHeader(Caller caller, StringValues headers, out Refusal refusal)
    {
        refusal = default;
        ReadOnlySpan<char> token = headers.Count == 1 ? TokenIn(headers[0]) : default;
        if (!token.IsEmpty)
        {
            if (TryKey(token, caller, out RegisteredKey? key))
            {
                key!.LastUse.Note(_clock.GetUtcNow());
                return key.Identity;
            }

            if (_security.Tokens?.TryRead(token) is { } identity)
            {
                return identity;
            }
        }

        // One text for all that may be wrong with it: what is known here is no secret to be found out by trying.
        Refusal failed = Failed(caller, "The 'Authorization' header has no API key or token that counts here.");
        refusal = failed.Kind == RefusalKind.TooMany
            ? failed
            : failed with { Kind = RefusalKind.Unauthenticated };
        return null;
    }

    /// <summary>What stands behind <c>Bearer</c>; empty if the header is another one.</summary>
    internal static ReadOnlySpan<char> TokenIn(ReadOnlySpan<char> header) =>
        header.StartsWith(Scheme, StringComparison.OrdinalIgnoreCase) ? header[Scheme.Length..].Trim(' ') : default;

    private bool TryKey(ReadOnlySpan<char> token, Caller caller, out RegisteredKey? key) =>
        _security.Trust.Keys.TryCheck(token, out key, out _) && key!.IsAllowedFrom(caller.Address);

    private Refusal Failed(Caller caller, string message)
    {
        TimeSpan wait = _security.NoteFailure(caller, message);
        return wait > TimeSpan.Zero
            ? new Refusal(
                RefusalKind.TooMany, "Too many logins from this address have failed. Wait and try again.", wait)
            : new Refusal(RefusalKind.Forbidden, message);
    }
}
