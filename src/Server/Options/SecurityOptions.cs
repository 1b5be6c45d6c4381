using Raven.Security.Audit;
using Raven.Security.Certificates;
using Raven.Security.Tokens;

namespace Raven.Server.Options;

/// <summary>How the server proves its name, whom it trusts beside its registry, and what it records of that.</summary>
public sealed record SecurityOptions
{
    /// <summary>The file of the server's certificate, PKCS#12 or PEM; null if there is none.</summary>
    public string? CertificatePath { get; init; }

    /// <summary>The password of that file, or of its key; null if there is none.</summary>
    public string? CertificatePassword { get; init; }

    /// <summary>The file of the private key, PEM, if it is not in the same file or beside it as <c>.key</c>.</summary>
    public string? CertificateKeyPath { get; init; }

    /// <summary>A program that prints the certificate; null if there is none.</summary>
    public string? CertificateProgram { get; init; }

    /// <summary>The arguments of that program.</summary>
    public IReadOnlyList<string> CertificateProgramArguments { get; init; } = [];

    /// <summary>The longest time of that program.</summary>
    public TimeSpan ProgramTimeMax { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>The cipher suites of TLS, by their IANA names; empty for those with forward secrecy
    /// and authenticated encryption. Not used on Windows, which has its own list.</summary>
    public IReadOnlyList<string> CipherSuites { get; init; } = [];

    /// <summary>Whether a client's certificate with the key and the issuer of a registered one renews it.</summary>
    public bool RenewsImplicitly { get; init; } = true;

    /// <summary>Whether that holds for administrators of the cluster, too.</summary>
    public bool RenewsAdministrators { get; init; }

    /// <summary>Thumbprints of certificates that are administrators without being registered.</summary>
    public IReadOnlyList<string> WellKnownAdministrators { get; init; } = [];

    /// <summary>Whether a client with the server's own certificate is an administrator.</summary>
    public bool ServerCertificateIsAdministrator { get; init; }

    /// <summary>The proxies that end TLS before the server, and say for whom they send a request.</summary>
    public IReadOnlyList<TrustedProxy> TrustedProxies { get; init; } = [];

    /// <summary>The file of the master key; null for one in <see cref="KeysFolder"/>, made at the first need.</summary>
    public string? MasterKeyPath { get; init; }

    /// <summary>A program that prints the master key; null if there is none.</summary>
    public string? MasterKeyProgram { get; init; }

    /// <summary>The arguments of that program.</summary>
    public IReadOnlyList<string> MasterKeyProgramArguments { get; init; } = [];

    /// <summary>The longest time of that program.</summary>
    public TimeSpan MasterKeyProgramTimeMax { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>The folder of the server's own keys, outside of that of the data.</summary>
    public string KeysFolder { get; init; } = DefaultKeysFolder();

    /// <summary>The folder of the audit log; null if none is kept.</summary>
    public string? AuditFolder { get; init; }

    /// <summary>The size at which a file of the audit log ends.</summary>
    public long AuditFileBytesMax { get; init; } = 128L << 20;

    /// <summary>How many days ended files of the audit log stay; 0 for ever.</summary>
    public int AuditDaysMax { get; init; }

    /// <summary>How many ended files of the audit log stay; 0 for all.</summary>
    public int AuditFilesMax { get; init; }

    /// <summary>Whether ended files of the audit log are compressed.</summary>
    public bool AuditCompresses { get; init; }

    /// <summary>Whether security changes are refused while the audit log cannot be written.</summary>
    public bool IsAuditRequired { get; init; } = true;

    /// <summary>The path of the local socket, or <c>none</c>; null for the usual one, <c>raven.sock</c> in the folder
    /// of the data, of a process that is only a server.</summary>
    public string? LocalSocketPath { get; init; }

    /// <summary>The most TLS handshakes at one time, half of them of one address; further connections end.</summary>
    public int HandshakesMax { get; init; } = 512;

    /// <summary>The issuer whose tokens count; null if there is none.</summary>
    public Uri? Issuer { get; init; }

    /// <summary>The audience that its tokens must be made for.</summary>
    public string IssuerAudience { get; init; } = "";

    /// <summary>The claim of its tokens that holds roles.</summary>
    public string IssuerRolesClaim { get; init; } = "roles";

    /// <summary>What its roles are good for, as JSON.</summary>
    public string IssuerRoles { get; init; } = "{}";

    /// <summary>How far its clock may be from ours.</summary>
    public TimeSpan IssuerClockSkew { get; init; } = TimeSpan.FromSeconds(60);

    /// <summary>True if the server has a certificate, so that each caller needs an identity.</summary>
    public bool HasCertificate => CertificatePath != null || CertificateProgram != null;

    /// <summary>From where the certificate is read; null if there is none.</summary>
    internal ServerCertificateSource? ToCertificateSource() => HasCertificate
        ? new ServerCertificateSource(
            CertificatePath, CertificateKeyPath, CertificatePassword,
            CertificateProgram == null
                ? null
                : new CertificateProgram(CertificateProgram, CertificateProgramArguments, ProgramTimeMax))
        : null;

    /// <summary>Prints the master key; null if it is in a file.</summary>
    internal CertificateProgram? ToMasterKeyProgram() => MasterKeyProgram == null
        ? null
        : new CertificateProgram(MasterKeyProgram, MasterKeyProgramArguments, MasterKeyProgramTimeMax);

    /// <summary>Whose tokens count; null if there is no issuer.</summary>
    internal IssuerOptions? ToIssuerOptions() => Issuer == null
        ? null
        : new IssuerOptions
        {
            Issuer = Issuer,
            Audience = IssuerAudience,
            RolesClaim = IssuerRolesClaim,
            Roles = RoleMap.Parse(IssuerRoles),
            ClockSkew = IssuerClockSkew,
        };

    /// <summary>How the audit log is kept; null if none is.</summary>
    internal AuditOptions? ToAuditOptions() => AuditFolder == null
        ? null
        : new AuditOptions
        {
            Folder = AuditFolder,
            FileBytesMax = AuditFileBytesMax,
            AgeMax = AuditDaysMax == 0 ? null : TimeSpan.FromDays(AuditDaysMax),
            FilesMax = AuditFilesMax == 0 ? null : AuditFilesMax,
            Compresses = AuditCompresses,
        };

    /// <summary>For a log: nothing of it, as it may have a password.</summary>
    public override string ToString() => HasCertificate ? "with a certificate" : "without a certificate";

    private static string DefaultKeysFolder()
    {
        // Beside /var/lib/raven, where the data of a server lies that the system starts.
        const string system = "/var/lib/raven-keys";
        return Directory.Exists(system)
            ? system
            : Path.Combine(Environment.GetFolderPath(Environment.SpecialFolder.UserProfile), ".raven", "keys");
    }
}
