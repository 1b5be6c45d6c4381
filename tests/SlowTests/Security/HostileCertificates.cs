using System.Formats.Asn1;
using System.Net.Security;
using System.Numerics;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace SlowTests.Security;

/// <summary>Certificates of clients that would cost much to read or to check.</summary>
internal static class HostileCertificates
{
    /// <summary>
    /// As many names, and as many that are excluded, as OpenSSL compares: it gives up before 2^20 pairs, which would be
    /// cheap, and .NET makes no such chain to send.
    /// </summary>
    private const int NamesCount = 1000;

    private static readonly Asn1Tag Excluded = new(TagClass.ContextSpecific, 1);
    private static readonly Asn1Tag DnsName = new(TagClass.ContextSpecific, 2);

    /// <summary>One without issuers.</summary>
    internal static SslStreamCertificateContext Context(X509Certificate2 certificate) =>
        SslStreamCertificateContext.Create(certificate, additionalCertificates: null, offline: true);

    /// <summary>One of so many bytes.</summary>
    internal static SslStreamCertificateContext WithBytes(int count)
    {
        using ECDsa key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        return Context(Make(key, new X509Extension("1.3.6.1.4.1.55555.1", new byte[count], critical: false)));
    }

    /// <summary>One behind so many authorities, whose first was signed by the last again.</summary>
    internal static SslStreamCertificateContext Chain(int count)
    {
        var authorities = new X509Certificate2Collection();
        using ECDsa key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        X509Certificate2 signer = Make(key, Authority());
        authorities.Add(signer);
        for (int i = 0; i < count; i++)
        {
            // The name of the first comes again in the middle: a loop.
            string name = i == count / 2 ? "CN=hostile" : $"CN=authority {i}";
            var request = new CertificateRequest(name, key, HashAlgorithmName.SHA256);
            request.CertificateExtensions.Add(Authority());
            signer = Sign(request, signer, i).CopyWithPrivateKey(key);
            authorities.Add(signer);
        }

        var leaf = new CertificateRequest("CN=leaf", key, HashAlgorithmName.SHA256);
        X509Certificate2 own = Sign(leaf, signer, count).CopyWithPrivateKey(key);
        return SslStreamCertificateContext.Create(own, authorities, offline: true);
    }

    /// <summary>One with many names, behind an authority that excludes many: each is compared with each.</summary>
    internal static SslStreamCertificateContext WithConstraints()
    {
        using ECDsa key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        var writer = new AsnWriter(AsnEncodingRules.DER);
        using (writer.PushSequence())
        using (writer.PushSequence(Excluded))
        {
            for (int i = 0; i < NamesCount; i++)
            {
                using (writer.PushSequence())
                {
                    writer.WriteCharacterString(UniversalTagNumber.IA5String, $"x{i}.no", DnsName);
                }
            }
        }

        X509Certificate2 root = Make(key, Authority());
        var middle = new CertificateRequest("CN=authority", key, HashAlgorithmName.SHA256);
        middle.CertificateExtensions.Add(Authority());
        middle.CertificateExtensions.Add(new X509Extension("2.5.29.30", writer.Encode(), critical: true));
        X509Certificate2 authority = Sign(middle, root, 0).CopyWithPrivateKey(key);
        var request = new CertificateRequest("CN=leaf", key, HashAlgorithmName.SHA256);
        var names = new SubjectAlternativeNameBuilder();
        for (int i = 0; i < NamesCount; i++)
        {
            names.AddDnsName($"n{i}.yes");
        }

        request.CertificateExtensions.Add(names.Build());
        X509Certificate2 own = Sign(request, authority, 1).CopyWithPrivateKey(key);
        return SslStreamCertificateContext.Create(own, [authority, root], offline: true);
    }

    /// <summary>One with an RSA key of 16,384 bits.</summary>
    internal static SslStreamCertificateContext WithLargeKey()
    {
        using RSA key = LargeKey();
        var request = new CertificateRequest("CN=large", key, HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1);
        X509Certificate2 made = request.CreateSelfSigned(
            DateTimeOffset.UtcNow.AddDays(-1), DateTimeOffset.UtcNow.AddDays(1));
        byte[] data = [1];
        byte[] signature = key.SignData(data, HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1);
        Assert.True(key.VerifyData(data, signature, HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1));
        return Context(made);
    }

    /// <summary>One that says where its issuer, a list of revoked ones, and an answer about itself are to be had.
    /// </summary>
    internal static X509Certificate2 WithUrls(params string[] urls)
    {
        using ECDsa issuerKey = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        using X509Certificate2 issuer = Make(issuerKey, Authority());
        using ECDsa key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        var request = new CertificateRequest("CN=urls", key, HashAlgorithmName.SHA256);
        request.CertificateExtensions.Add(new X509AuthorityInformationAccessExtension(
            urls.Select(url => url + "ocsp"), urls.Select(url => url + "issuer.crt")));
        request.CertificateExtensions.Add(
            CertificateRevocationListBuilder.BuildCrlDistributionPointExtension(urls.Select(url => url + "list.crl")));
        return Sign(request, issuer, 0).CopyWithPrivateKey(key);
    }

    /// <summary>
    /// To look for two primes of 8,192 bits takes minutes. Two are known, from the digits of e (RFC 7919) and of pi
    /// (RFC 3526).
    /// </summary>
    private static RSA LargeKey()
    {
        const int digits = 8062;
        BigInteger p = Prime(ScaledE(digits), 10_965_728);
        BigInteger q = Prime(ScaledPi(digits), 4_743_158);
        BigInteger exponent = 65_537;
        BigInteger order = (p - 1) * (q - 1) / BigInteger.GreatestCommonDivisor(p - 1, q - 1);
        BigInteger d = Inverse(exponent, order);
        return RSA.Create(new RSAParameters
        {
            Modulus = Bytes(p * q, 2048),
            Exponent = Bytes(exponent, 3),
            D = Bytes(d, 2048),
            P = Bytes(p, 1024),
            Q = Bytes(q, 1024),
            DP = Bytes(d % (p - 1), 1024),
            DQ = Bytes(d % (q - 1), 1024),
            InverseQ = Bytes(Inverse(q, p), 1024),
        });
    }

    private static BigInteger Prime(BigInteger scaled, int add) =>
        BigInteger.Pow(2, 8192) - BigInteger.Pow(2, 8128) - 1 + ((scaled + add) << 64);

    /// <summary>The whole part of e times a power of two.</summary>
    private static BigInteger ScaledE(int digits)
    {
        const int more = 64;
        BigInteger term = BigInteger.One << (digits + more);
        BigInteger sum = 0;
        for (int k = 1; term > 0; k++)
        {
            sum += term;
            term /= k;
        }

        return sum >> more;
    }

    /// <summary>The same of pi, by Machin's formula.</summary>
    private static BigInteger ScaledPi(int digits)
    {
        const int more = 64;
        BigInteger one = BigInteger.One << (digits + more);
        return ((16 * ArcTangentOfInverse(5, one)) - (4 * ArcTangentOfInverse(239, one))) >> more;
    }

    private static BigInteger ArcTangentOfInverse(int x, BigInteger one)
    {
        BigInteger power = one / x;
        BigInteger sum = 0;
        for (int k = 1; power > 0; k += 2)
        {
            sum += k % 4 == 1 ? power / k : -(power / k);
            power /= x * x;
        }

        return sum;
    }

    private static BigInteger Inverse(BigInteger value, BigInteger modulus)
    {
        (BigInteger r, BigInteger next, BigInteger t, BigInteger nextT) = (modulus, value % modulus, 0, 1);
        while (next != 0)
        {
            BigInteger quotient = r / next;
            (r, next) = (next, r - (quotient * next));
            (t, nextT) = (nextT, t - (quotient * nextT));
        }

        return t < 0 ? t + modulus : t;
    }

    private static byte[] Bytes(BigInteger value, int count)
    {
        byte[] bytes = new byte[count];
        byte[] digits = value.ToByteArray(isUnsigned: true, isBigEndian: true);
        digits.CopyTo(bytes.AsSpan(count - digits.Length));
        return bytes;
    }

    private static X509Certificate2 Make(ECDsa key, params X509Extension[] extensions)
    {
        var request = new CertificateRequest("CN=hostile", key, HashAlgorithmName.SHA256);
        Array.ForEach(extensions, request.CertificateExtensions.Add);
        return request.CreateSelfSigned(DateTimeOffset.UtcNow.AddDays(-1), DateTimeOffset.UtcNow.AddDays(1));
    }

    private static X509BasicConstraintsExtension Authority() => new(true, false, 0, true);

    private static X509Certificate2 Sign(CertificateRequest request, X509Certificate2 signer, int number) =>
        request.Create(
            signer, signer.NotBefore.ToUniversalTime(), signer.NotAfter.ToUniversalTime(),
            BitConverter.GetBytes(number + 1));
}
