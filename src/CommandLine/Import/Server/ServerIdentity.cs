using System.Net;
using System.Net.Security;
using System.Security.Cryptography.X509Certificates;

namespace Raven.CommandLine.Import.Server;

/// <summary>Who a verb is for the server that it calls, and which server it believes. Immutable.</summary>
internal sealed class ServerIdentity
{
    private readonly X509Certificate2? _certificate;
    private readonly string? _apiKey;
    private readonly X509Certificate2Collection _authorities;

    /// <summary>Takes what the options say.</summary>
    /// <param name="certificate">The certificate that is shown, with its key; null for none.</param>
    /// <param name="apiKey">The API key that is sent; null for none.</param>
    /// <param name="authorities">Who signs the server's certificate; empty for those that the system trusts.</param>
    internal ServerIdentity(
        X509Certificate2? certificate, string? apiKey, X509Certificate2Collection authorities)
    {
        _certificate = certificate;
        _apiKey = apiKey;
        _authorities = authorities;
    }

    /// <summary>No one, who believes whom the system trusts.</summary>
    internal static ServerIdentity None { get; } = new(null, null, []);

    /// <summary>Makes a client of a server.</summary>
    /// <exception cref="FormatException">The identity would go over a connection that others can read.</exception>
    internal HttpClient Connect(Uri server)
    {
        if (server.Scheme != Uri.UriSchemeHttps && _certificate != null)
        {
            throw new FormatException($"{server} is not https, and over http a certificate is not shown.");
        }

        if (server.Scheme != Uri.UriSchemeHttps && _apiKey != null && !server.IsLoopback)
        {
            throw new FormatException(
                $"{server} is not https: an API key that goes over plain http to another machine can be read by all "
                + "that are between.");
        }

        var handler = new SocketsHttpHandler { AutomaticDecompression = DecompressionMethods.GZip };
        SetUp(handler.SslOptions);
        var client = new HttpClient(new Explaining(handler))
        {
            BaseAddress = server,
            Timeout = Timeout.InfiniteTimeSpan,
        };
        if (_apiKey != null)
        {
            client.DefaultRequestHeaders.Add("Authorization", "Bearer " + _apiKey);
        }

        return client;
    }

    private void SetUp(SslClientAuthenticationOptions options)
    {
        if (_certificate != null)
        {
            options.ClientCertificateContext =
                SslStreamCertificateContext.Create(_certificate, additionalCertificates: null, offline: true);
        }

        // Nothing is fetched that a server which is not trusted yet names.
        options.CertificateChainPolicy = new X509ChainPolicy
        {
            DisableCertificateDownloads = true,
            RevocationMode = X509RevocationMode.NoCheck,
        };
        if (_authorities.Count > 0)
        {
            options.CertificateChainPolicy.TrustMode = X509ChainTrustMode.CustomRootTrust;
            options.CertificateChainPolicy.CustomTrustStore.AddRange(_authorities);
        }
    }

    /// <summary>Says in a failure of trust by which options it is mended.</summary>
    private sealed class Explaining(HttpMessageHandler inner) : DelegatingHandler(inner)
    {
        protected override async Task<HttpResponseMessage> SendAsync(
            HttpRequestMessage request, CancellationToken cancellationToken)
        {
            try
            {
                return await base.SendAsync(request, cancellationToken);
            }
            catch (HttpRequestException e) when (e.HttpRequestError == HttpRequestError.SecureConnectionError)
            {
                throw new HttpRequestException(
                    e.HttpRequestError,
                    $"There is no encrypted connection ({(e.InnerException ?? e).Message}). --ca names the file with "
                    + "the certificate of who signs the server's, --certificate the one that is shown to it.", e);
            }
        }
    }
}
