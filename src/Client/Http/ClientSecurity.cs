using System.Collections.Concurrent;
using System.Net;
using System.Net.Security;
using System.Security.Cryptography.X509Certificates;
using Raven.Client.Exceptions.Security;

namespace Raven.Client.Http;

/// <summary>
/// Who a store is for its servers, and which servers it believes. All connections of the store come from the handlers
/// that it sets up. Immutable but for what it remembers of refused servers; safe for all threads.
/// </summary>
internal sealed class ClientSecurity
{
    private const string KeyScheme = "Bearer ";

    private readonly ConcurrentDictionary<string, ServerRefusal> _refusals = new(StringComparer.OrdinalIgnoreCase);
    private readonly X509Certificate2? _certificate;
    private readonly X509Certificate2Collection _authorities;
    private readonly bool _isEncrypted;
    private volatile bool _hasBeenAnswered;

    /// <summary>Takes what the properties of a store say.</summary>
    /// <param name="urls">The urls of the servers, which are urls.</param>
    /// <param name="certificate">The certificate of the client; null if there is none.</param>
    /// <param name="apiKey">The API key; null if there is none.</param>
    /// <param name="authorities">Who signs the servers' certificates; empty for those that the system trusts.</param>
    /// <exception cref="InvalidOperationException">The urls do not fit, as <see cref="Check"/> says.</exception>
    internal ClientSecurity(
        IReadOnlyList<string> urls, X509Certificate2? certificate, string? apiKey,
        X509Certificate2Collection authorities)
    {
        _certificate = certificate;
        _authorities = [.. authorities];
        Authorization = apiKey == null ? null : KeyScheme + apiKey;
        Uri[] servers = [.. urls.Select(url => new Uri(url))];
        _isEncrypted = certificate != null || servers.Any(IsEncrypted);
        Array.ForEach(servers, Check);
    }

    /// <summary>The value of the header that goes with each request; null if there is none.</summary>
    internal string? Authorization { get; }

    /// <summary>The text of an API key, if it can be one.</summary>
    /// <exception cref="ArgumentException">It cannot be sent in a header. The message does not hold it.</exception>
    internal static string? CheckKey(string? key) =>
        key == null || (key.Length > 0 && key.All(c => c is > ' ' and <= '~'))
        ? key
        : throw new ArgumentException(
            "An API key has one or more letters, digits and signs of ASCII, and no space: perhaps the text that was "
            + "set has the end of a line, or more than the key.");

    /// <summary>A certificate with which a client can show who it is.</summary>
    /// <exception cref="ArgumentException">It has no private key.</exception>
    internal static X509Certificate2? CheckCertificate(X509Certificate2? certificate) =>
        certificate == null || certificate.HasPrivateKey
            ? certificate
            : throw new ArgumentException(
                $"The certificate {certificate.Thumbprint} has no private key, and without one it proves nothing: load "
                + "it from a .pfx, or from a .pem that has its key.");

    /// <summary>Refuses a url over which the identity of the store, or what it asks for, would be sent in the
    /// clear.</summary>
    /// <exception cref="InvalidOperationException">The url is such a one. The message says what to do.</exception>
    internal void Check(Uri url)
    {
        if (IsEncrypted(url))
        {
            return;
        }

        string server = url.GetLeftPart(UriPartial.Authority);
        if (_certificate != null)
        {
            throw new InvalidOperationException(
                $"{server} is not https, and over http a client certificate is not sent: use an https url, or no "
                + "DocumentStore.Certificate.");
        }

        if (_isEncrypted)
        {
            throw new InvalidOperationException(
                $"{server} is http, and another url of the store is https: all of them must be either, those that the "
                + "servers give themselves (PublicServerUrl) too.");
        }

        if (Authorization != null && !IsLoopback(url))
        {
            throw new InvalidOperationException(
                $"{server} is not https: an API key that goes over plain http to another machine can be read by all "
                + "that are between. Use an https url.");
        }
    }

    /// <summary>
    /// Makes a handler show the identity, and believe no other server than those that are to be believed.
    /// </summary>
    /// <exception cref="InvalidOperationException">The handler cannot be given the certificates.</exception>
    internal HttpMessageHandler SetUp(HttpMessageHandler handler)
    {
        if (!_isEncrypted && Authorization == null)
        {
            return handler;
        }

        if (_isEncrypted)
        {
            Encrypt(handler);
        }

        return new IdentityHandler(this, handler);
    }

    /// <summary>Notes that a server has answered: what fails from now on is no missing identity.</summary>
    internal void OnAnswer() => _hasBeenAnswered = true;

    /// <summary>What a failure to connect says of trust; null if it is another failure.</summary>
    internal AuthenticationException? Explain(Uri url, Exception failure)
    {
        if ((failure as HttpRequestException ?? failure.InnerException as HttpRequestException) is not
            { HttpRequestError: HttpRequestError.SecureConnectionError } http)
        {
            return null;
        }

        string server = url.GetLeftPart(UriPartial.Authority);
        if (_refusals.TryGetValue(url.IdnHost, out ServerRefusal? refusal))
        {
            return refusal.ToException(server, failure);
        }

        string remedy = _certificate == null
            ? "check that it speaks https; if it wants a certificate of the client, set DocumentStore.Certificate"
            : $"check that it speaks https and accepts the client certificate {_certificate.Thumbprint}";
        return new AuthenticationException(
            $"There is no encrypted connection to {server} ({http.InnerException?.Message ?? http.Message}): {remedy}.",
            failure);
    }

    /// <summary>
    /// A hint to add if a connection breaks: with TLS 1.3, a server refuses a missing certificate after the handshake.
    /// </summary>
    internal string HintOf(Uri url) => _certificate == null && !_hasBeenAnswered && IsEncrypted(url)
        ? " If the server wants a certificate of the client, set DocumentStore.Certificate."
        : "";

    private static bool IsEncrypted(Uri url) => url.Scheme is "https" or "wss";

    /// <summary>By what the url says; a name other than this one may lead anywhere.</summary>
    private static bool IsLoopback(Uri url) => url.IdnHost == "localhost"
        || (IPAddress.TryParse(url.IdnHost, out IPAddress? address) && IPAddress.IsLoopback(address));

    private void Encrypt(HttpMessageHandler handler)
    {
        HttpMessageHandler last = handler;
        while (last is DelegatingHandler { InnerHandler: { } inner })
        {
            last = inner;
        }

        if (last is SocketsHttpHandler sockets)
        {
            SslClientAuthenticationOptions options = sockets.SslOptions;
            SetUp(options);
            sockets.SslOptions = options; // Throws if the handler is in use already: it would not look at them.
        }
        else if (_certificate != null || _authorities.Count > 0)
        {
            throw new InvalidOperationException(
                $"DocumentStore.Certificate and CertificateAuthorities cannot be given to the {last.GetType().Name} "
                + "that Conventions.CreateHttpMessageHandler makes: let it make a SocketsHttpHandler, also inside of "
                + "others, or give them to it there.");
        }
    }

    private void SetUp(SslClientAuthenticationOptions options)
    {
        if (_certificate != null)
        {
            options.ClientCertificateContext =
                SslStreamCertificateContext.Create(_certificate, additionalCertificates: null, offline: true);
        }

        if (_authorities.Count > 0)
        {
            options.CertificateChainPolicy = NewPolicy(X509RevocationMode.NoCheck);
            options.CertificateChainPolicy.TrustMode = X509ChainTrustMode.CustomRootTrust;
            options.CertificateChainPolicy.CustomTrustStore.AddRange(_authorities);
        }
        else
        {
            // What the application's own handler asks for stays: a policy sets aside the mode beside it.
            options.CertificateChainPolicy ??= NewPolicy(options.CertificateRevocationCheckMode);
        }

        options.RemoteCertificateValidationCallback ??= Validate;
    }

    /// <summary>
    /// Fetches no authority that a certificate names: a server that is not trusted yet would choose what is asked for,
    /// and a connection would wait for it.
    /// </summary>
    private static X509ChainPolicy NewPolicy(X509RevocationMode revocation) => new()
    {
        DisableCertificateDownloads = true,
        RevocationMode = revocation,
    };

    /// <summary>Accepts what has no error, and remembers the error of the others for the message.</summary>
    private bool Validate(object sender, X509Certificate? certificate, X509Chain? chain, SslPolicyErrors errors)
    {
        string host = (sender as SslStream)?.TargetHostName ?? "";
        if (errors == SslPolicyErrors.None)
        {
            _refusals.TryRemove(host, out _);
            return true;
        }

        _refusals[host] = ServerRefusal.Of(certificate as X509Certificate2, chain, errors);
        return false;
    }
}
