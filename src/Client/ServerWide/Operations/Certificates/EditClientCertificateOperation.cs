using Raven.Client.Documents.Conventions;
using Raven.Client.Http;

namespace Raven.Client.ServerWide.Operations.Certificates;

/// <summary>Gives a client certificate that the server trusts another name and other rights.</summary>
/// <param name="parameters">Which one, and what it has from then on.</param>
public sealed class EditClientCertificateOperation(EditClientCertificateOperation.Parameters parameters)
    : IServerOperation<bool>
{
    /// <inheritdoc/>
    public RavenCommand<bool> GetCommand(DocumentConventions conventions) => ServerRequests.Send(
        HttpMethod.Post, node => new UrlBuilder(node, "/admin/certificates/edit"),
        ServerRequests.BodyOf(
            new CertificateBody
            {
                Thumbprint = parameters.Thumbprint,
                Permissions = parameters.Permissions,
                SecurityClearance = parameters.Clearance,
                Name = parameters.Name,
            },
            ServerTypes.Default.CertificateBody));

    /// <summary>A certificate and what it has from then on. All of it replaces what there was.</summary>
    public sealed class Parameters
    {
        /// <summary>The thumbprint of the certificate.</summary>
        public required string Thumbprint { get; set; }

        /// <summary>Its name, for people.</summary>
        public required string Name { get; set; }

        /// <summary>What it may do on the server as a whole.</summary>
        public required SecurityClearance Clearance { get; set; }

        /// <summary>What it may do with single databases.</summary>
        public required Dictionary<string, DatabaseAccess> Permissions { get; set; }
    }
}
