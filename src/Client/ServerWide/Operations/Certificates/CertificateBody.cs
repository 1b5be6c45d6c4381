namespace Raven.Client.ServerWide.Operations.Certificates;

/// <summary>The body of a request about a certificate. Null values are not sent.</summary>
internal sealed class CertificateBody
{
    public string? Name { get; init; }

    public string? Thumbprint { get; init; }

    public string? Certificate { get; init; }

    public string? Password { get; init; }

    public SecurityClearance? SecurityClearance { get; init; }

    public IReadOnlyDictionary<string, DatabaseAccess>? Permissions { get; init; }

    public DateTime? NotAfter { get; init; }

    public string? TwoFactorAuthenticationKey { get; init; }
}
