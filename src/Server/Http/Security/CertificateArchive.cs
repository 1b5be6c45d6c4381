using System.IO.Compression;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using Raven.Security.Certificates;

namespace Raven.Server.Http.Security;

/// <summary>A new certificate with its key as a zip, in the forms that programs take it in.</summary>
internal static class CertificateArchive
{
    private const int FileNameLengthMax = 64;

    /// <summary>A regular file with all rights for its owner alone to read and write, as zip keeps that.</summary>
    private const int OwnerOnly = unchecked((int)0x8180_0000);

    /// <summary>Makes the zip: <c>.pfx</c>, <c>.crt</c>, <c>.key</c>, and a <c>.pem</c> with both.</summary>
    /// <param name="certificate">The certificate with its key.</param>
    /// <param name="fileName">The name of each file, without its ending.</param>
    /// <param name="password">The password of the <c>.pfx</c>; null for none.</param>
    /// <param name="now">The time of its files.</param>
    internal static byte[] Make(
        X509Certificate2 certificate, string fileName, string? password, DateTimeOffset now)
    {
        string crt = CertificateText.CertificatePem(certificate);
        string key = CertificateText.KeyPem(certificate);
        using var stream = new MemoryStream();
        using (var zip = new ZipArchive(stream, ZipArchiveMode.Create, leaveOpen: true))
        {
            Add(".pfx", CertificateText.Pkcs12(certificate, password));
            Add(".crt", Encoding.ASCII.GetBytes(crt));
            Add(".key", Encoding.ASCII.GetBytes(key));
            Add(".pem", Encoding.ASCII.GetBytes(crt + key));

            void Add(string ending, byte[] content)
            {
                ZipArchiveEntry entry = zip.CreateEntry(fileName + ending, CompressionLevel.NoCompression);
                entry.LastWriteTime = now;
                entry.ExternalAttributes = OwnerOnly;
                using Stream file = entry.Open();
                file.Write(content);
            }
        }

        return stream.ToArray();
    }

    /// <summary>
    /// The name of an identity as that of a file: what means something to a file system, or to an HTTP header, is
    /// replaced.
    /// </summary>
    internal static string FileNameOf(string name)
    {
        var text = new StringBuilder();
        foreach (char letter in name.AsSpan(0, Math.Min(name.Length, FileNameLengthMax)))
        {
            text.Append(char.IsAsciiLetterOrDigit(letter) || letter is '-' or '_' or '.' or '@' or ' ' ? letter : '_');
        }

        string plain = text.ToString().Trim(' ', '.');
        return plain.Length == 0 ? "client" : plain;
    }
}
