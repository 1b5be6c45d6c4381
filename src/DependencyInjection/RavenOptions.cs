namespace Raven.DependencyInjection;

/// <summary>
/// A store, as a section of the configuration describes it. It is never logged: some of it is secret.
/// </summary>
public sealed class RavenOptions
{
    /// <summary>The urls of the servers.</summary>
    public IList<string> Urls { get; } = [];

    /// <summary>The database of sessions that name none.</summary>
    public string? Database { get; set; }

    /// <summary>The file of the certificate that shows the servers who the application is.</summary>
    public RavenCertificateOptions Certificate { get; set; } = new();

    /// <summary>The API key that shows it instead; null for none.</summary>
    public string? ApiKey { get; set; }

    /// <summary>
    /// The file of the authorities that sign the servers' certificates, or of a self-signed one, .pem or .crt; null for
    /// those that the system trusts.
    /// </summary>
    public string? CertificateAuthorities { get; set; }
}

/// <summary>A file with a certificate and its private key.</summary>
public sealed class RavenCertificateOptions
{
    /// <summary>The file, .pfx or .pem; null for no certificate.</summary>
    public string? Path { get; set; }

    /// <summary>The file of the private key, if a .pem has none itself.</summary>
    public string? KeyPath { get; set; }

    /// <summary>The password of the .pfx, or of the private key; null if it has none.</summary>
    public string? Password { get; set; }
}
