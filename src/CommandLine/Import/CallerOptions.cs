using System.CommandLine;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using Raven.CommandLine.Import.Server;
using Raven.Security.Certificates;

namespace Raven.CommandLine.Import;

/// <summary>The options by which a verb shows a server who it is, and knows the server.</summary>
internal static class CallerOptions
{
    /// <summary>Those beside letters and digits of what follows <c>Bearer</c> (RFC 6750, 2.1).</summary>
    private const string Signs = "-._~+/=";

    private static readonly Option<string?> Certificate = new("--certificate")
    {
        Description = "A client certificate with its key, .pfx or .pem, to show to an https server",
    };

    private static readonly Option<string?> PasswordFile = new("--password-file")
    {
        Description = "A file whose first line is the password of the certificate; - is standard input",
    };

    private static readonly Option<string?> ApiKeyFile = new("--api-key-file")
    {
        Description = "A file whose first line is an API key to send; - is standard input",
    };

    private static readonly Option<string?> Authorities = new("--ca")
    {
        Description = "The certificates (.pem, .crt) of who signs the server's; its own if it is self-signed",
    };

    /// <summary>Adds the options to a verb.</summary>
    internal static void AddTo(Command verb)
    {
        verb.Add(Certificate);
        verb.Add(PasswordFile);
        verb.Add(ApiKeyFile);
        verb.Add(Authorities);
    }

    /// <summary>Reads what the options name.</summary>
    /// <exception cref="FormatException">A file cannot be read as what it should be. The message has no secret.
    /// </exception>
    internal static ServerIdentity Read(ParseResult parsed)
    {
        try
        {
            return new ServerIdentity(
                parsed.GetValue(Certificate) is { } path ? ReadCertificate(path, parsed.GetValue(PasswordFile)) : null,
                parsed.GetValue(ApiKeyFile) is { } keyFile ? ReadKey(keyFile) : null,
                parsed.GetValue(Authorities) is { } authorities ? ReadAuthorities(authorities) : []);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new FormatException(e.Message, e);
        }
    }

    private static X509Certificate2 ReadCertificate(string path, string? passwordFile)
    {
        string? password = passwordFile == null ? null : SecretFile.ReadLine(passwordFile);
        try
        {
            return CertificateReader.Read(File.ReadAllBytes(path), keyPem: null, password, path).Leaf;
        }
        catch (CertificateException e)
        {
            throw new FormatException(
                $"{path} is no certificate with its key (.pfx, or .pem with both), or --password-file has another "
                + $"password: {(e.InnerException ?? e).Message}", e);
        }
    }

    private static string ReadKey(string path)
    {
        string key = SecretFile.ReadLine(path).Trim();
        return key.Length > 0 && key.All(letter => char.IsAsciiLetterOrDigit(letter) || Signs.Contains(letter))
            ? key
            : throw new FormatException($"The first line of {path} is no API key.");
    }

    private static X509Certificate2Collection ReadAuthorities(string path)
    {
        var found = new X509Certificate2Collection();
        try
        {
            found.ImportFromPemFile(path);
            if (found.Count == 0)
            {
                found.Add(X509CertificateLoader.LoadCertificateFromFile(path));
            }

            return found;
        }
        catch (CryptographicException e)
        {
            throw new FormatException($"{path} has no certificate, PEM or DER: {e.Message}", e);
        }
    }
}
