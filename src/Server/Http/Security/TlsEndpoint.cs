using System.Net.Security;
using System.Security.Authentication;
using System.Security.Cryptography.X509Certificates;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.AspNetCore.Server.Kestrel.Https;
using Raven.Security.Certificates;
using Raven.Server.Options;

namespace Raven.Server.Http.Security;

//   TLS-1  Who is trusted is decided by the registry, behind the handshake: the handshake takes any client certificate,
//          proves that the peer has its key, and fetches nothing that the certificate names.
//   TLS-2  No session is resumed and nothing is renegotiated: each connection shows its certificate.

/// <summary>An endpoint with TLS 1.2 and 1.3, HTTP/1.1 and HTTP/2. Safe for all threads.</summary>
internal sealed class TlsEndpoint
{
    private static readonly TimeSpan HandshakeTimeMax = TimeSpan.FromSeconds(10);
    private static readonly List<SslApplicationProtocol> Protocols =
        [SslApplicationProtocol.Http2, SslApplicationProtocol.Http11];

    /// <summary>Forward secrecy and authenticated encryption: no CBC, which Lucky 13 and others attack.</summary>
    private static readonly string[] DefaultSuites =
    [
        nameof(TlsCipherSuite.TLS_AES_256_GCM_SHA384),
        nameof(TlsCipherSuite.TLS_CHACHA20_POLY1305_SHA256),
        nameof(TlsCipherSuite.TLS_AES_128_GCM_SHA256),
        nameof(TlsCipherSuite.TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384),
        nameof(TlsCipherSuite.TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384),
        nameof(TlsCipherSuite.TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256),
        nameof(TlsCipherSuite.TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256),
        nameof(TlsCipherSuite.TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256),
        nameof(TlsCipherSuite.TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256),
    ];

    private readonly ServerCertificate _certificate;
    private readonly CipherSuitesPolicy? _suites;
    private readonly Handshakes _handshakes;
    private volatile Prepared? _prepared;

    internal TlsEndpoint(ServerCertificate certificate, SecurityOptions options, Handshakes handshakes)
    {
        _certificate = certificate;
        _handshakes = handshakes;
        _suites = OperatingSystem.IsWindows()
            ? null
            : Policy(options.CipherSuites.Count == 0 ? DefaultSuites : options.CipherSuites);
    }

    /// <summary>Makes an endpoint speak TLS.</summary>
    internal void Configure(ListenOptions listen)
    {
        listen.Protocols = HttpProtocols.Http1AndHttp2;
        listen.Use(Limit);
        listen.UseHttps(new TlsHandshakeCallbackOptions
        {
            HandshakeTimeout = HandshakeTimeMax,
            OnConnection = context => ValueTask.FromResult(OptionsNow()),
        });
        listen.Use(Established);
    }

    private ConnectionDelegate Limit(ConnectionDelegate next) => connection => _handshakes.RunAsync(connection, next);

    private static ConnectionDelegate Established(ConnectionDelegate next) => connection =>
    {
        Handshakes.Established(connection);
        return next(connection);
    };

    /// <summary>What a handshake needs, made once for each certificate.</summary>
    private SslServerAuthenticationOptions OptionsNow()
    {
        SslStreamCertificateContext context = _certificate.Context;
        Prepared? prepared = _prepared;
        if (prepared == null || !ReferenceEquals(prepared.Context, context))
        {
            _prepared = prepared = new Prepared(context, MakeOptions(context));
        }

        return prepared.Options;
    }

    private SslServerAuthenticationOptions MakeOptions(SslStreamCertificateContext context) => new()
    {
        ServerCertificateContext = context,
        EnabledSslProtocols = SslProtocols.Tls12 | SslProtocols.Tls13,
        ClientCertificateRequired = true,

#pragma warning disable CA5359 // A client's certificate: the registry decides, by request, who its owner is.
        RemoteCertificateValidationCallback = static (_, _, _, _) => true,
#pragma warning restore CA5359

        CertificateChainPolicy = new X509ChainPolicy
        {
            DisableCertificateDownloads = true,
            RevocationMode = X509RevocationMode.NoCheck,
            TrustMode = X509ChainTrustMode.CustomRootTrust,
        },
        AllowRenegotiation = false,
        AllowTlsResume = false,
        ApplicationProtocols = Protocols,
        CipherSuitesPolicy = _suites,
    };

    private static CipherSuitesPolicy Policy(IReadOnlyList<string> names) =>
#pragma warning disable CA1416 // Not called on Windows.
        new(names.Select(Enum.Parse<TlsCipherSuite>));
#pragma warning restore CA1416

    private sealed record Prepared(SslStreamCertificateContext Context, SslServerAuthenticationOptions Options);
}
