using System.Text.Json;
using Raven.Client.Documents.Conventions;
using Raven.Client.Http;

namespace Raven.Client.ServerWide.Operations.Certificates;

/// <summary>Who the server takes the caller for, and what the caller may do.</summary>
public sealed class WhoAmIOperation : IServerOperation<WhoAmIResult>
{
    /// <inheritdoc/>
    public RavenCommand<WhoAmIResult> GetCommand(DocumentConventions conventions) => new SimpleCommand<WhoAmIResult>(
        node => new UrlBuilder(node, "/certificates/whoami").ToRequest(HttpMethod.Get),
        response => response.IsNotFound ? null : response.ReadJson().Deserialize(ServerTypes.Default.WhoAmIResult),
        isRead: true);
}

/// <summary>A caller as the server knows it.</summary>
public sealed class WhoAmIResult
{
    /// <summary>Its name, for people.</summary>
    public string? Name { get; set; }

    /// <summary>How it has shown who it is: Certificate, ApiKey, Jwt, Local, or Unsecured if the server asks no
    /// caller.</summary>
    public string? Kind { get; set; }

    /// <summary>The thumbprint of its certificate; null if it came without.</summary>
    public string? Thumbprint { get; set; }

    /// <summary>The id of its API key; null if it came without.</summary>
    public string? KeyId { get; set; }

    /// <summary>What it may do on the server as a whole.</summary>
    public SecurityClearance SecurityClearance { get; set; }

    /// <summary>What it may do with single databases.</summary>
    public Dictionary<string, DatabaseAccess>? Permissions { get; set; }

    /// <summary>When its certificate or key ends; null if never.</summary>
    public DateTime? NotAfter { get; set; }

    /// <summary>SHA-256 of the public key of its certificate, base64; null if it came without.</summary>
    public string? PublicKeyPinningHash { get; set; }
}
