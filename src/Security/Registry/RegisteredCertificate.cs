using Raven.Security.Certificates;
using Raven.Security.Rights;

namespace Raven.Security.Registry;

/// <summary>A client's certificate that the server trusts, with its rights. Immutable.</summary>
public sealed class RegisteredCertificate
{
    /// <summary>A name for people.</summary>
    public required string Name { get; init; }

    /// <summary>The certificate.</summary>
    public required ClientCertificate Certificate { get; init; }

    /// <summary>What it may do on the server as a whole.</summary>
    public required Clearance Clearance { get; init; }

    /// <summary>What it may do with single databases.</summary>
    public required Permissions Permissions { get; init; }

    /// <summary>When it was registered.</summary>
    public required DateTimeOffset CreatedAt { get; init; }

    /// <summary>Who registered it.</summary>
    public required string CreatedBy { get; init; }

    /// <summary>
    /// If it is a renewal, the digest of the certificate whose rights it has; empty if it was registered itself.
    /// </summary>
    public string RenewalOf { get; init; } = "";

    /// <summary>When it was last used.</summary>
    public LastUse LastUse { get; init; } = new(null);

    /// <summary>The identity of its requests.</summary>
    public Identity Identity => field ??= new Identity
    {
        Kind = IdentityKind.Certificate,
        Name = Name,
        Key = Certificate.Thumbprint,
        Clearance = Clearance,
        Permissions = Permissions,
        NotBefore = Certificate.NotBefore,
        NotAfter = Certificate.NotAfter,
    };

    internal string Key => KeyOf(Certificate.Digest);

    internal static string KeyOf(string digest) => "certificates/" + digest;

    /// <summary>The same certificate with other rights.</summary>
    internal RegisteredCertificate With(string name, Clearance clearance, Permissions permissions) => new()
    {
        Name = name,
        Certificate = Certificate,
        Clearance = clearance,
        Permissions = permissions,
        CreatedAt = CreatedAt,
        CreatedBy = CreatedBy,
        RenewalOf = RenewalOf,
        LastUse = LastUse,
    };
}
