using System.Security.Cryptography.X509Certificates;
using Raven.Client.Documents.Conventions;
using Raven.Client.Http;

namespace Raven.Client.ServerWide.Operations.Certificates;

/// <summary>Has the server make a client certificate and trust it; the answer is a zip with it and its key.</summary>
/// <param name="name">Its name, for people.</param>
/// <param name="permissions">What it may do with single databases.</param>
/// <param name="clearance">What it may do on the server as a whole.</param>
/// <param name="password">The password of its .pfx; null for none.</param>
/// <param name="notAfter">When it ends; null leaves that to the server.</param>
public sealed class CreateClientCertificateOperation(
    string name, IReadOnlyDictionary<string, DatabaseAccess> permissions, SecurityClearance clearance,
    string? password = null, DateTime? notAfter = null) : IServerOperation<CertificateRawData>
{
    /// <inheritdoc/>
    public RavenCommand<CertificateRawData> GetCommand(DocumentConventions conventions) => ServerRequests.Send(
        HttpMethod.Post, node => new UrlBuilder(node, "/admin/certificates"),
        ServerRequests.BodyOf(
            new CertificateBody
            {
                Name = name,
                SecurityClearance = clearance,
                Password = password,
                Permissions = permissions,
                NotAfter = notAfter,
            },
            ServerTypes.Default.CertificateBody),
        response => new CertificateRawData { RawData = response.Body.ToArray() });
}

/// <summary>Makes the server trust a client certificate. Only its public part is sent.</summary>
/// <param name="name">Its name, for people.</param>
/// <param name="certificate">The certificate.</param>
/// <param name="permissions">What it may do with single databases.</param>
/// <param name="clearance">What it may do on the server as a whole.</param>
/// <param name="twoFactorAuthenticationKey">The key of a second factor, which a server may refuse; null for
/// none.</param>
public sealed class PutClientCertificateOperation(
    string name, X509Certificate2 certificate, IReadOnlyDictionary<string, DatabaseAccess> permissions,
    SecurityClearance clearance, string? twoFactorAuthenticationKey = null) : IServerOperation<bool>
{
    /// <inheritdoc/>
    public RavenCommand<bool> GetCommand(DocumentConventions conventions) => ServerRequests.Send(
        HttpMethod.Put, node => new UrlBuilder(node, "/admin/certificates"),
        ServerRequests.BodyOf(
            new CertificateBody
            {
                Name = name,
                Certificate = Convert.ToBase64String(certificate.RawDataMemory.Span),
                SecurityClearance = clearance,
                Permissions = permissions,
                TwoFactorAuthenticationKey = twoFactorAuthenticationKey,
            },
            ServerTypes.Default.CertificateBody));
}

/// <summary>Makes the server trust a client certificate no longer, and ends what it has open.</summary>
/// <param name="thumbprint">The thumbprint of the certificate.</param>
public sealed class DeleteCertificateOperation(string thumbprint) : IServerOperation<bool>
{
    /// <inheritdoc/>
    public RavenCommand<bool> GetCommand(DocumentConventions conventions) => ServerRequests.Send(
        HttpMethod.Delete, node => new UrlBuilder(node, "/admin/certificates").Add("thumbprint", thumbprint));
}

/// <summary>A client certificate that the server trusts; null if there is none of that thumbprint.</summary>
/// <param name="thumbprint">The thumbprint of the certificate.</param>
public sealed class GetCertificateOperation(string thumbprint) : IServerOperation<CertificateDefinition>
{
    /// <inheritdoc/>
    public RavenCommand<CertificateDefinition> GetCommand(DocumentConventions conventions) => ServerRequests.GetOne(
        node => new UrlBuilder(node, "/admin/certificates").Add("thumbprint", thumbprint),
        ServerTypes.Default.CertificateDefinition);
}

/// <summary>The client certificates that the server trusts.</summary>
/// <param name="start">How many to skip.</param>
/// <param name="pageSize">The most to list.</param>
public sealed class GetCertificatesOperation(int start, int pageSize) : IServerOperation<CertificateDefinition[]>
{
    /// <inheritdoc/>
    public RavenCommand<CertificateDefinition[]> GetCommand(DocumentConventions conventions) => ServerRequests.GetAll(
        node => new UrlBuilder(node, "/admin/certificates").Add("start", start).Add("pageSize", pageSize),
        ServerTypes.Default.CertificateDefinition);
}

/// <summary>What a certificate may do, without the certificate; null if the server does not trust it.</summary>
/// <param name="thumbprint">The thumbprint of the certificate.</param>
public sealed class GetCertificateMetadataOperation(string thumbprint) : IServerOperation<CertificateMetadata>
{
    /// <inheritdoc/>
    public RavenCommand<CertificateMetadata> GetCommand(DocumentConventions conventions) => ServerRequests.GetOne(
        node => new UrlBuilder(node, "/admin/certificates").Add("thumbprint", thumbprint).Add("metadataOnly", true),
        ServerTypes.Default.CertificateMetadata);
}

/// <summary>What the certificates may do, without the certificates.</summary>
/// <param name="name">The name of those to list; null for all.</param>
public sealed class GetCertificatesMetadataOperation(string? name = null) : IServerOperation<CertificateMetadata[]>
{
    /// <inheritdoc/>
    public RavenCommand<CertificateMetadata[]> GetCommand(DocumentConventions conventions) => ServerRequests.GetAll(
        node => new UrlBuilder(node, "/admin/certificates").Add("metadataOnly", true).Add("name", name),
        ServerTypes.Default.CertificateMetadata);
}

/// <summary>Gives the server another certificate of its own, which it shows from then on.</summary>
/// <param name="certBytes">The certificate with its private key, PKCS#12 (.pfx) without a password.</param>
/// <param name="replaceImmediately">Whether a server of several waits for no other one.</param>
public sealed class ReplaceClusterCertificateOperation(byte[] certBytes, bool replaceImmediately)
    : IServerOperation<bool>
{
    /// <inheritdoc/>
    public RavenCommand<bool> GetCommand(DocumentConventions conventions) => ServerRequests.Send(
        HttpMethod.Post,
        node => new UrlBuilder(node, "/admin/certificates/replace-cluster-cert")
            .Add("replaceImmediately", replaceImmediately),
        ServerRequests.BodyOf(
            new CertificateBody { Certificate = Convert.ToBase64String(certBytes) },
            ServerTypes.Default.CertificateBody));
}
