using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using Raven.Security.Certificates;

namespace FastTests.Security;

/// <summary>Certificates that clients send to have them registered.</summary>
public sealed class PostedCertificatesTests
{
    [Fact]
    public void Der_Pem_and_Pkcs12_give_the_public_part_and_a_private_key_is_dropped()
    {
        using X509Certificate2 certificate = TestCertificates.Make("app");
        using ECDsa key = certificate.GetECDsaPrivateKey()!;
        string pem = certificate.ExportCertificatePem();
        (byte[] Bytes, bool HasKey)[] forms =
        [
            (certificate.RawData, false),
            (Encoding.ASCII.GetBytes(pem), false),
            (Encoding.ASCII.GetBytes(pem + "\n" + key.ExportECPrivateKeyPem()), true),
            (certificate.Export(X509ContentType.Pkcs12), true),
        ];
        foreach ((byte[] bytes, bool hasKey) in forms)
        {
            PostedCertificates posted = PostedCertificates.Read(bytes, TestCertificates.Now);
            ClientCertificate read = Assert.Single(posted.Certificates);
            Assert.Equal(certificate.RawData, read.Der);
            Assert.Equal(certificate.Thumbprint, read.Thumbprint);
            Assert.Equal(hasKey, posted.HadPrivateKey);
            Assert.Equal(44, read.PinningHash.Length);
            Assert.Equal(64, read.Digest.Length);
        }
    }

    [Fact]
    public void Several_certificates_of_one_file_are_all_read()
    {
        using X509Certificate2 a = TestCertificates.Make("a");
        using X509Certificate2 b = TestCertificates.Make("b");
        string pem = a.ExportCertificatePem() + "\n" + b.ExportCertificatePem();
        Assert.Equal(
            [a.Thumbprint, b.Thumbprint],
            PostedCertificates.Read(Encoding.ASCII.GetBytes(pem), TestCertificates.Now)
                .Certificates.Select(c => c.Thumbprint));
    }

    [Fact]
    public void What_cannot_be_a_clients_certificate_is_refused_with_the_reason()
    {
        AssertRefused("expired", Der(to: TestCertificates.Now.AddHours(-1)));
        AssertRefused("clientAuth", Der(purpose: CertificateUse.ServerAuthentication));
        AssertRefused("no certificate", [1, 2, 3]);
        AssertRefused(
            "no certificate",
            Encoding.ASCII.GetBytes("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----"));
        AssertRefused("bytes", []);
        AssertRefused("bytes", new byte[(1 << 20) + 1]);
        AssertRefused("0 certificates", Encoding.ASCII.GetBytes("-----BEGIN NOTHING-----\n"));
    }

    [Fact]
    [Trait("Security", "9")]
    public void A_key_on_a_curve_without_a_name_is_refused_with_the_reason()
    {
        (X509Certificate2 certificate, ECDsa key) =
            TestCertificates.MakeWithExplicitCurve(CertificateUse.ClientAuthentication);
        using (key)
        using (certificate)
        {
            AssertRefused("named curve", certificate.RawData);
            AssertRefused("named curve", Encoding.ASCII.GetBytes(certificate.ExportCertificatePem()));
        }
    }

    [Fact]
    [Trait("Security", "10")]
    public void A_file_whose_key_would_take_long_to_derive_is_refused_at_once()
    {
        using X509Certificate2 certificate = TestCertificates.Make("slow");
        byte[] slow = certificate.ExportPkcs12(
            new PbeParameters(PbeEncryptionAlgorithm.Aes256Cbc, HashAlgorithmName.SHA256, 70_000), "x");

        // The file says four million where it was made with fewer: the test does not derive them either.
        int places = 0;
        for (int at; (at = slow.AsSpan().IndexOf((ReadOnlySpan<byte>)[2, 3, 0x01, 0x11, 0x70])) >= 0; places++)
        {
            ((ReadOnlySpan<byte>)[0x3D, 0x09, 0x00]).CopyTo(slow.AsSpan(at + 2));
        }

        Assert.InRange(places, 1, 3);
        AssertRefused("no certificate", slow);
        Assert.IsType<Pkcs12LoadLimitExceededException>(Assert.Throws<CertificateException>(
            () => PostedCertificates.Read(slow, TestCertificates.Now)).InnerException);
    }

    [Fact]
    [Trait("Security", "10")]
    public void A_file_of_safes_within_safes_of_many_rounds_or_with_attributes_twice_is_refused()
    {
        using X509Certificate2 certificate = TestCertificates.Make("crafted");
        byte[] bag = CraftedPkcs12.Certificate(certificate.RawData, names: 1);
        Assert.Equal(
            certificate.Thumbprint,
            Assert.Single(PostedCertificates.Read(CraftedPkcs12.File(bag), TestCertificates.Now).Certificates)
                .Thumbprint);
        byte[] nested = bag;
        for (int depth = 0; depth < 500; depth++)
        {
            nested = CraftedPkcs12.Nest(nested);
        }

        AssertRefused("certificate", CraftedPkcs12.File(nested));
        AssertRefused("certificate", CraftedPkcs12.File(bag, macRounds: 1_000_000_000));
        AssertRefused("certificate", CraftedPkcs12.File(CraftedPkcs12.Certificate(certificate.RawData, names: 2)));
    }

    [Fact]
    public void Bytes_at_random_are_refused_and_nothing_else()
    {
        var random = new Random(42);
        using X509Certificate2 certificate = TestCertificates.Make("fuzz");
        byte[][] seeds =
        [
            certificate.RawData,
            Encoding.ASCII.GetBytes(certificate.ExportCertificatePem()),
            certificate.Export(X509ContentType.Pkcs12),
        ];
        for (int i = 0; i < 600; i++)
        {
            byte[] bytes = [.. seeds[i % seeds.Length]];
            for (int change = random.Next(1, 4); change > 0; change--)
            {
                bytes[random.Next(bytes.Length)] = (byte)random.Next(256);
            }

            try
            {
                int length = random.Next(bytes.Length / 2, bytes.Length + 1);
                PostedCertificates.Read(bytes.AsSpan(0, length), TestCertificates.Now);
            }
            catch (CertificateException)
            {
                // The one kind of refusal.
            }
        }
    }

    private static byte[] Der(DateTimeOffset? to = null, string purpose = CertificateUse.ClientAuthentication)
    {
        using X509Certificate2 certificate =
            TestCertificates.Make("x", from: TestCertificates.Now.AddDays(-9), to: to, purpose: purpose);
        return certificate.RawData;
    }

    private static void AssertRefused(string reason, byte[] bytes) => Assert.Contains(
        reason,
        Assert.Throws<CertificateException>(() => PostedCertificates.Read(bytes, TestCertificates.Now)).Message,
        StringComparison.OrdinalIgnoreCase);
}
