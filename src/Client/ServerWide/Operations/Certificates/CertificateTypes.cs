namespace Raven.Client.ServerWide.Operations.Certificates;

/// <summary>A client certificate that the server trusts, without the certificate itself.</summary>
public class CertificateMetadata
{
    /// <summary>Its name, for people.</summary>
    public string? Name { get; set; }

    /// <summary>What it may do on the server as a whole.</summary>
    public SecurityClearance SecurityClearance { get; set; }

    /// <summary>Its name in requests: SHA-1 of the certificate, hexadecimal.</summary>
    public string? Thumbprint { get; set; }

    /// <summary>SHA-256 of its public key, base64: a renewal with the same key has the same.</summary>
    public string? PublicKeyPinningHash { get; set; }

    /// <summary>When it begins to count.</summary>
    public DateTime? NotBefore { get; set; }

    /// <summary>When it ends.</summary>
    public DateTime? NotAfter { get; set; }

    /// <summary>What it may do with single databases.</summary>
    public Dictionary<string, DatabaseAccess>? Permissions { get; set; }

    /// <summary>The certificate that it renews; empty if it renews none.</summary>
    public string? CollectionPrimaryKey { get; set; }

    /// <summary>The certificates that renew it.</summary>
    public List<string>? CollectionSecondaryKeys { get; set; }
}

/// <summary>A client certificate that the server trusts.</summary>
public class CertificateDefinition : CertificateMetadata
{
    /// <summary>The certificate without its key, base64.</summary>
    public string? Certificate { get; set; }
}

/// <summary>The files of a new client certificate.</summary>
public sealed class CertificateRawData
{
    /// <summary>A zip with the certificate and its private key as .pfx, .pem, .crt and .key. The server keeps none of
    /// them.</summary>
    public byte[] RawData { get; set; } = [];
}
