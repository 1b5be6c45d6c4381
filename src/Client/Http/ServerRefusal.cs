using System.Net.Security;
using System.Security.Cryptography.X509Certificates;
using Raven.Client.Exceptions.Security;

namespace Raven.Client.Http;

/// <summary>Why the certificate of a server was not accepted.</summary>
/// <param name="Reason">What is wrong with it, continuing a sentence.</param>
/// <param name="Remedy">What to do.</param>
/// <param name="IsOtherName">True if it is good, but for other names.</param>
internal sealed record ServerRefusal(string Reason, string Remedy, bool IsOtherName = false)
{
    private const int NamesMax = 5;
    private const X509ChainStatusFlags UnknownAuthority =
        X509ChainStatusFlags.UntrustedRoot | X509ChainStatusFlags.PartialChain;

    /// <summary>The first of its errors that counts: who is not known may write any name.</summary>
    internal static ServerRefusal Of(X509Certificate2? certificate, X509Chain? chain, SslPolicyErrors errors)
    {
        if (certificate == null)
        {
            return new("the server has shown no certificate", "check that it is a Raven server");
        }

        X509ChainStatusFlags chainErrors = X509ChainStatusFlags.NoError;
        foreach (X509ChainStatus status in chain?.ChainStatus ?? [])
        {
            chainErrors |= status.Status;
        }

        if ((chainErrors & UnknownAuthority) != 0)
        {
            return new(
                $"its certificate is of an authority that is not known here ({certificate.Issuer})",
                "set DocumentStore.CertificateAuthorities to the certificate of that authority, or to that of the "
                + "server if it is self-signed");
        }

        if ((chainErrors & X509ChainStatusFlags.NotTimeValid) != 0)
        {
            return new(
                $"its certificate, or that of its authority, counts at another time (from "
                + $"{certificate.NotBefore.ToUniversalTime():u} to {certificate.NotAfter.ToUniversalTime():u})",
                "renew it, or set the clock of this machine right");
        }

        return (errors & SslPolicyErrors.RemoteCertificateNameMismatch) != 0
            ? new(
                $"its certificate is for other names ({NamesOf(certificate)})",
                "use a url with one of them, or a certificate that has the name in the url", IsOtherName: true)
            : new(
                $"its certificate does not hold ({chainErrors})", "give the server one for the use by servers");
    }

    /// <summary>The exception for a server.</summary>
    internal AuthenticationException ToException(string server, Exception failure)
    {
        string message = $"{server} cannot be trusted, as {Reason}: {Remedy}.";
        return IsOtherName
            ? new CertificateNameMismatchException(message, failure)
            : new AuthenticationException(message, failure);
    }

    private static string NamesOf(X509Certificate2 certificate)
    {
        string[] names =
        [
            .. certificate.Extensions.OfType<X509SubjectAlternativeNameExtension>().SelectMany(extension =>
                extension.EnumerateDnsNames().Concat(extension.EnumerateIPAddresses().Select(it => it.ToString()))),
        ];
        return names.Length switch
        {
            0 => "it has none",
            <= NamesMax => string.Join(", ", names),
            _ => string.Join(", ", names.Take(NamesMax)) + ", ...",
        };
    }
}
