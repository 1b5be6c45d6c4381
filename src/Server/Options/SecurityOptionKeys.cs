using System.Net.Security;
using System.Text.Json;
using Raven.Security.Tokens;

namespace Raven.Server.Options;

/// <summary>The keys of the configuration that are about security.</summary>
internal static class SecurityOptionKeys
{
    internal const string Hidden = "*****";

    /// <summary>The keys, in the order in which they are documented.</summary>
    internal static OptionKey[] All() =>
    [
        Key("Certificate.Path", "path or empty", "The server's certificate, .pfx or .pem: the server speaks https.",
            (o, v) => o with { CertificatePath = File(v) }, o => o.CertificatePath ?? ""),
        Key("Certificate.Password", "text or empty", "The password of that file. Not shown.",
            (o, v) => o with { CertificatePassword = v.Length == 0 ? null : v },
            o => o.CertificatePassword == null ? "" : Hidden),
        Key("Certificate.KeyPath", "path or empty", "The key of a .pem, if it is not in it and not beside it as .key.",
            (o, v) => o with { CertificateKeyPath = File(v) }, o => o.CertificateKeyPath ?? ""),
        Key("Certificate.Load.Exec", "absolute path or empty", "A program that prints the certificate, .pfx or .pem.",
            (o, v) => o with { CertificateProgram = Program(v) }, o => o.CertificateProgram ?? ""),
        Key("Certificate.Load.Exec.Arguments", "words, or a JSON array of texts", "Its arguments; there is no shell.",
            (o, v) => o with { CertificateProgramArguments = Arguments(v) },
            o => o.CertificateProgramArguments.Count == 0 ? "" : Hidden),
        Key("Certificate.Exec.TimeoutInSec", "seconds", "How long that program may take.",
            (o, v) => o with { ProgramTimeMax = TimeSpan.FromSeconds(OptionTable.Number(v, 1, 600)) },
            o => OptionTable.Text((long)o.ProgramTimeMax.TotalSeconds)),
        Key("TlsCipherSuites", "names with ; between them, or empty", "Cipher suites of TLS; those with AEAD if empty.",
            (o, v) => o with { CipherSuites = Suites(v) }, o => string.Join(';', o.CipherSuites)),
        Key("ImplicitRenewal", "true, false", "Whether a certificate with a registered one's key and issuer renews it.",
            (o, v) => o with { RenewsImplicitly = OptionTable.Bool(v) }, o => OptionTable.Text(o.RenewsImplicitly)),
        Key("ImplicitRenewal.Admins", "true, false", "Whether that holds for administrators of the cluster, too.",
            (o, v) => o with { RenewsAdministrators = OptionTable.Bool(v) },
            o => OptionTable.Text(o.RenewsAdministrators)),
        Key("WellKnownCertificates.Admin", "thumbprints with ; between them, or empty",
            "Certificates of clients that are administrators without being registered.",
            (o, v) => o with { WellKnownAdministrators = Thumbprints(v) },
            o => string.Join(';', o.WellKnownAdministrators)),
        Key("ServerCertificateIsAdmin", "true, false", "Whether a client with the server's certificate administers it.",
            (o, v) => o with { ServerCertificateIsAdministrator = OptionTable.Bool(v) },
            o => OptionTable.Text(o.ServerCertificateIsAdministrator)),
        Key("TrustedProxies", "network=fingerprint with ; between them, or empty",
            "Proxies whose X-Raven-Client-Cert and X-Forwarded-For name the client, by their own client certificates.",
            (o, v) => o with { TrustedProxies = [.. Split(v).Select(TrustedProxy.Parse)] },
            o => string.Join(';', o.TrustedProxies)),
        .. OfSecretsAndAudit(),
        Key("Oidc.Issuer", "https url or empty", "The issuer whose JSON Web Tokens count, as its metadata names it.",
            (o, v) => o with { Issuer = Issuer(v) }, o => o.Issuer?.OriginalString ?? ""),
        Key("Oidc.Audience", "text", "The audience that a token must be made for.",
            (o, v) => o with { IssuerAudience = v }, o => o.IssuerAudience),
        Key("Oidc.RolesClaim", "name", "The claim of a token that holds its roles.",
            (o, v) => o with { IssuerRolesClaim = v }, o => o.IssuerRolesClaim),
        Key("Oidc.Map", "JSON",
            "What each role may do: {\"role\":{\"SecurityClearance\":\"ValidUser\",\"Permissions\":{}}}.",
            (o, v) => o with { IssuerRoles = Roles(v) }, o => o.IssuerRoles),
        Key("Oidc.ClockSkewSec", "seconds", "How far the issuer's clock may be from the server's.",
            (o, v) => o with { IssuerClockSkew = TimeSpan.FromSeconds(OptionTable.Number(v, 0, 600)) },
            o => OptionTable.Text((long)o.IssuerClockSkew.TotalSeconds)),
        new("Limits.Handshakes", "number", "The most TLS handshakes at one time, half of them of one address.",
            (o, v) => o with { Security = o.Security with { HandshakesMax = (int)OptionTable.Number(v, 1, 100_000) } },
            o => OptionTable.Text(o.Security.HandshakesMax)),
    ];

    private static OptionKey[] OfSecretsAndAudit() =>
    [
        Key("MasterKey.Path", "path or empty", "The master key, 32 bytes or their base64, readable by its owner alone.",
            (o, v) => o with { MasterKeyPath = File(v) }, o => o.MasterKeyPath ?? ""),
        Key("MasterKey.Exec", "absolute path or empty", "A program that prints the master key, in place of a file.",
            (o, v) => o with { MasterKeyProgram = Program(v) }, o => o.MasterKeyProgram ?? ""),
        Key("MasterKey.Exec.Arguments", "words, or a JSON array of texts", "Its arguments; there is no shell.",
            (o, v) => o with { MasterKeyProgramArguments = Arguments(v) },
            o => o.MasterKeyProgramArguments.Count == 0 ? "" : Hidden),
        Key("MasterKey.Exec.TimeoutInSec", "seconds", "How long that program may take.",
            (o, v) => o with { MasterKeyProgramTimeMax = TimeSpan.FromSeconds(OptionTable.Number(v, 1, 600)) },
            o => OptionTable.Text((long)o.MasterKeyProgramTimeMax.TotalSeconds)),
        Key("KeysFolder", "path", "Where the master key is made, if no path is given; not in the folder of the data.",
            (o, v) => o with { KeysFolder = OptionTable.Folder(v) }, o => o.KeysFolder),
        Key("AuditLog.FolderPath", "path or empty", "Where the audit log is kept; empty for none.",
            (o, v) => o with { AuditFolder = File(v) }, o => o.AuditFolder ?? ""),
        Key("AuditLog.ArchiveAboveSizeInMb", "MB", "The size at which a file of the audit log ends.",
            (o, v) => o with { AuditFileBytesMax = OptionTable.Number(v, 1, 1 << 20) << 20 },
            o => OptionTable.Text(o.AuditFileBytesMax >> 20)),
        Key("AuditLog.MaxArchiveDays", "days, 0 for ever", "How long ended files of the audit log stay.",
            (o, v) => o with { AuditDaysMax = (int)OptionTable.Number(v, 0, 36_500) },
            o => OptionTable.Text(o.AuditDaysMax)),
        Key("AuditLog.MaxArchiveFiles", "number, 0 for all", "How many ended files of the audit log stay.",
            (o, v) => o with { AuditFilesMax = (int)OptionTable.Number(v, 0, 1_000_000) },
            o => OptionTable.Text(o.AuditFilesMax)),
        Key("AuditLog.EnableArchiveFileCompression", "true, false", "Whether ended files are compressed.",
            (o, v) => o with { AuditCompresses = OptionTable.Bool(v) }, o => OptionTable.Text(o.AuditCompresses)),
        Key("AuditLog.Required", "true, false",
            "Whether changes of who is trusted are refused while the audit log cannot be written (503).",
            (o, v) => o with { IsAuditRequired = OptionTable.Bool(v) }, o => OptionTable.Text(o.IsAuditRequired)),
        Key("LocalSocket", "path, none, or empty",
            "The socket on which administrators of this machine are answered; raven.sock in DataDir if empty.",
            (o, v) => o with { LocalSocketPath = v == "none" ? v : File(v) }, o => o.LocalSocketPath ?? ""),
    ];

    private static OptionKey Key(
        string name, string values, string summary, Func<SecurityOptions, string, SecurityOptions> apply,
        Func<SecurityOptions, string> show) => new(
        "Security." + name, values, summary,
        (o, v) => o with { Security = apply(o.Security, v) }, o => show(o.Security));

    private static Uri? Issuer(string text) => text.Length == 0
        ? null
        : Uri.TryCreate(text, UriKind.Absolute, out Uri? url) && url.Scheme == Uri.UriSchemeHttps
            ? url
            : throw new FormatException($"'{text}' is no https url.");

    private static string Roles(string text)
    {
        RoleMap.Parse(text);
        return text;
    }

    private static string? File(string text) => text.Length == 0 ? null : OptionTable.Folder(text);

    private static string? Program(string text) => text.Length == 0 || Path.IsPathFullyQualified(text)
        ? (text.Length == 0 ? null : text)
        : throw new FormatException($"'{text}' is not an absolute path.");

    private static string[] Arguments(string text)
    {
        if (!text.StartsWith('['))
        {
            return text.Split(' ', StringSplitOptions.RemoveEmptyEntries);
        }

        try
        {
            return JsonSerializer.Deserialize<string[]>(text) ?? [];
        }
        catch (JsonException)
        {
            throw new FormatException("It begins with [ and is no JSON array of texts.");
        }
    }

    private static string[] Suites(string text)
    {
        string[] names = Split(text);
        return Array.Find(names, name => !Enum.TryParse(name, out TlsCipherSuite _)) is { } wrong
            ? throw new FormatException($"'{wrong}' is no cipher suite such as TLS_AES_256_GCM_SHA384.")
            : names;
    }

    private static string[] Thumbprints(string text)
    {
        string[] all = Split(text);
        return Array.Find(all, one => one.Length != 40 || !one.All(char.IsAsciiHexDigit)) is { } wrong
            ? throw new FormatException($"'{wrong}' is no thumbprint: 40 hexadecimal digits.")
            : [.. all.Select(one => one.ToUpperInvariant())];
    }

    private static string[] Split(string text) =>
        text.Split(';', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries);
}
