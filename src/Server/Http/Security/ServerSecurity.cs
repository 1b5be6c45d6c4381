using System.Security.Cryptography.X509Certificates;
using Microsoft.Extensions.Logging;
using Raven.Documents.Catalog;
using Raven.Security.Certificates;
using Raven.Security.Floods;
using Raven.Security.Registry;
using Raven.Security.Rights;
using Raven.Security.Secrets;
using Raven.Security.Tokens;
using Raven.Server.Diagnostics;
using Raven.Server.Options;

namespace Raven.Server.Http.Security;

/// <summary>
/// What a server knows of callers: its own certificate, whom it trusts, and what it writes down of them. Safe for all
/// threads.
/// </summary>
internal sealed class ServerSecurity : IDisposable
{
    /// <summary>The event of a rotation.</summary>
    internal const string MasterKeyRotated = "server.keys.rotated";

    private const string BearerScheme = "Bearer ";

    private readonly SecurityOptions _options;
    private readonly ServerKeys _keys;
    private readonly FailedLogins _failures;
    private readonly ILogger _log;
    private readonly IssuerKeys? _issuerKeys;
    private readonly CertificateWatch? _watch;

    private ServerSecurity(
        SecurityOptions options, ServerCertificate? certificate, ServerKeys keys, TrustRegistry trust, AuditTrail audit,
        ILogger log, TimeProvider clock)
    {
        _keys = keys;
        Secrets = new RecordSecrets(keys);
        _options = options;
        _log = log;
        _failures = new FailedLogins(clock);
        Sessions = new StudioSessions(clock);
        Handshakes = new Handshakes(new HandshakeLimit(options.HandshakesMax, _failures), log, clock);
        Certificate = certificate;
        Trust = trust;
        Audit = audit;
        if (certificate != null && options.ToIssuerOptions() is { } issuer)
        {
            _issuerKeys = new IssuerKeys(issuer.Issuer, clock, reason => ServerLog.IssuerFailed(log, reason));
            Tokens = new TokenReader(issuer, _issuerKeys, clock);
        }

        Proxies = new TrustedProxies(options.TrustedProxies);
        Gate = new AccessGate(this, clock);
        _watch = certificate == null ? null : new CertificateWatch(certificate, trust, log, clock, audit);
    }

    /// <summary>The certificate that the server presents; null if it speaks plain HTTP.</summary>
    internal ServerCertificate? Certificate { get; }

    /// <summary>Who is trusted.</summary>
    internal TrustRegistry Trust { get; }

    /// <summary>The audit log.</summary>
    internal AuditTrail Audit { get; }

    /// <summary>The secrets in the records of databases.</summary>
    internal RecordSecrets Secrets { get; }

    /// <summary>The last requests that have changed who is trusted.</summary>
    internal AppliedRequests Applied { get; } = new();

    /// <summary>The browsers that have signed in.</summary>
    internal StudioSessions Sessions { get; }

    /// <summary>The proxies that say for whom they send a request.</summary>
    internal TrustedProxies Proxies { get; }

    /// <summary>Lets requests in.</summary>
    internal AccessGate Gate { get; }

    /// <summary>Reads tokens of the configured issuer; null if there is none.</summary>
    internal TokenReader? Tokens { get; }

    /// <summary>True if each caller needs an identity.</summary>
    internal bool IsSecured => Certificate != null;

    /// <summary>True if no caller can have an identity: nothing is registered, and the options name no one.</summary>
    internal bool TrustsNone =>
        Trust.Current.Certificates.Count == 0 && Trust.Current.Keys.Count == 0
        && _options.WellKnownAdministrators.Count == 0 && !_options.ServerCertificateIsAdministrator
        && Tokens == null;

    /// <summary>The TLS handshakes that are under way.</summary>
    internal Handshakes Handshakes { get; }

    /// <summary>How many addresses have failed to log in lately.</summary>
    internal int FailingSourceCount => _failures.SourceCount;

    /// <summary>How many logins have failed.</summary>
    internal long FailureCount => _failures.Count;

    /// <summary>Reads the certificate, the keys and the registry, and opens the audit log.</summary>
    /// <exception cref="CertificateException">The certificate cannot be used.</exception>
    /// <exception cref="MasterKeyException">The master key cannot be used.</exception>
    /// <exception cref="RegistryException">The registry cannot be read. The server must not start without.</exception>
    /// <exception cref="IOException">The audit log cannot be opened.</exception>
    internal static ServerSecurity Open(
        ServerOptions options, string dataFolder, ServerRecords records, ILogger log, TimeProvider clock)
    {
        SecurityOptions security = options.Security;
        ServerCertificate? certificate = security.ToCertificateSource() is { } source
            ? ServerCertificate.Load(source, clock)
            : null;
        var keys = ServerKeys.Open(options, dataFolder, records);
        if (keys.Fault is { } fault)
        {
            ServerLog.SecretsClosed(log, fault);
        }

        (TrustRegistry trust, AuditTrail audit) = OpenTrust(security, keys, records, log, clock);
        return new ServerSecurity(security, certificate, keys, trust, audit, log, clock);
    }

    /// <summary>Opens the audit log and the registry, whose changes it takes.</summary>
    /// <returns>The registry, and the log, which the caller disposes of.</returns>
    /// <exception cref="MasterKeyException">The key of the audit log cannot be used.</exception>
    /// <exception cref="RegistryException">The registry cannot be read.</exception>
    /// <exception cref="IOException">The audit log cannot be opened.</exception>
    internal static (TrustRegistry Trust, AuditTrail Audit) OpenTrust(
        SecurityOptions options, ServerKeys keys, ServerRecords records, ILogger log, TimeProvider clock)
    {
        AuditTrail audit = AuditTrail.Open(
            options.ToAuditOptions(), keys.AuditKey, records, options.IsAuditRequired, log, clock);
        try
        {
            return (TrustRegistry.Open(new TrustStore(records), audit, clock), audit);
        }
        catch
        {
            audit.Dispose();
            throw;
        }
    }

    /// <summary>Tells the master key without giving it away; null if there is none yet.</summary>
    internal string? MasterKeyCheck => _keys.KeyCheck;

    /// <summary>The key pair for which other nodes of a cluster wrap keys.</summary>
    /// <exception cref="MasterKeyException">It cannot be opened.</exception>
    internal NodeKey NodeKey() => _keys.NodeKey();

    /// <summary>Replaces the master key of the server that runs, and seals all secrets anew.</summary>
    /// <param name="by">Who asks for it.</param>
    /// <exception cref="MasterKeyException">It cannot be done. Nothing has changed.</exception>
    /// <exception cref="IOException">The audit log or the storage cannot be written.</exception>
    internal void RotateMasterKey(Identity by)
    {
        Audit.Announce(by, MasterKeyRotated);
        Secrets.Rotate();
    }

    /// <summary>Reads the certificate again, and presents it to new connections if it is another one.</summary>
    /// <exception cref="CertificateException">It cannot be used; the one before stays.</exception>
    internal void RefreshCertificate() => _watch?.Refresh(isByRequest: false);

    /// <summary>The same for a request, whose route has an event.</summary>
    /// <exception cref="CertificateException">It cannot be used; the one before stays.</exception>
    internal void RefreshCertificateByRequest() => _watch?.Refresh(isByRequest: true);

    /// <summary>Replaces the certificate and its file for a request, whose route has an event.</summary>
    /// <exception cref="CertificateException">It cannot be done; nothing has changed.</exception>
    internal void ReplaceCertificate(ReadOnlySpan<byte> pkcs12) => _watch?.Replace(pkcs12);

    /// <summary>Whether the options make a certificate an administrator.</summary>
    internal bool IsWellKnown(X509Certificate2 certificate) =>
        _options.WellKnownAdministrators.Contains(certificate.Thumbprint)
        || (_options.ServerCertificateIsAdministrator
            && Certificate!.Current.RawDataMemory.Span.SequenceEqual(certificate.RawDataMemory.Span));

    /// <summary>Registers the renewal of a registered certificate; null if it renews none, or must not.</summary>
    internal RegisteredCertificate? TryRenew(X509Certificate2 certificate)
    {
        if (!_options.RenewsImplicitly)
        {
            return null;
        }

        var client = ClientCertificate.Of(certificate);
        return Trust.Current.HasKeyOf(client)
            ? Trust.Certificates.TryRenew(client, _options.RenewsAdministrators)
            : null;
    }

    /// <summary>Notes a failed login. What is written of it is bounded, as what is counted is.</summary>
    /// <returns>How long this address has to wait; nothing if it may try again.</returns>
    internal TimeSpan NoteFailure(Caller caller, string reason)
    {
        if (_failures.Note(caller.Address))
        {
            Audit.LimitReached(caller);
        }

        TimeSpan wait = _failures.WaitOf(caller.Address);
        if (wait == TimeSpan.Zero)
        {
            Audit.Refused(caller, reason);
        }

        return wait;
    }

    /// <summary>
    /// Disables the API key that a request without encryption carries; true if it carries one, and the request is
    /// answered.
    /// </summary>
    internal bool DisableIfKey(RequestContext request, Caller caller)
    {
        ReadOnlySpan<char> header = request.Headers.Authorization.ToString();
        if (!header.StartsWith(BearerScheme, StringComparison.OrdinalIgnoreCase))
        {
            return false;
        }

        ReadOnlySpan<char> text = header[BearerScheme.Length..].Trim(' ');
        Trust.Keys.TryCheck(text, out _, out bool isLeaked);
        if (!isLeaked || !Raven.Security.Keys.ApiKey.TryGetId(text, out ReadOnlySpan<char> id))
        {
            return false;
        }

        Trust.Keys.Disable(Server, id.ToString());
        ServerLog.KeyInTheClear(_log, id.ToString(), caller.Address.ToString());
        ErrorResponse.Write(
            request, 403, ErrorType.Authorization,
            $"The API key {id} came over plain http, so that others have seen it. It is disabled; rotate it and send "
            + "it over https.");
        return true;
    }

    /// <summary>Who makes the changes that the server makes by itself.</summary>
    private static Identity Server { get; } = new()
    {
        Kind = IdentityKind.Local,
        Name = "server",
        Key = "",
        Clearance = Clearance.ClusterAdmin,
    };

    /// <inheritdoc/>
    public void Dispose()
    {
        _issuerKeys?.Dispose();
        _watch?.Dispose();
        Trust.StoreLastUses();
        Audit.Dispose();
        _keys.Dispose();
    }
}
