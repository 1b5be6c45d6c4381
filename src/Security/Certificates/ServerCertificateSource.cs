using System.Security.Cryptography;
using System.Text;
using Raven.Security.Files;

namespace Raven.Security.Certificates;

/// <summary>Where a server's certificate comes from: a file, or a program that prints it.</summary>
/// <param name="Path">The file with the certificate; null if a program prints it.</param>
/// <param name="KeyPath">The file with the key, if it stands apart; null looks beside the certificate.</param>
/// <param name="Password">The password of the file; null if there is none.</param>
/// <param name="Program">The program; null if there is a file.</param>
public sealed record ServerCertificateSource(
    string? Path, string? KeyPath, string? Password, CertificateProgram? Program)
{
    /// <summary>What it is called in messages.</summary>
    public string Name => Path ?? "What Security.Certificate.Load.Exec printed";

    /// <summary>The files whose change means that there may be a new certificate.</summary>
    public IReadOnlyList<string> Files => Path == null ? [] : KeyFile() is { } key ? [Path, key] : [Path];

    /// <summary>Reads the certificate.</summary>
    /// <exception cref="CertificateException">It cannot be read.</exception>
    public CertificateBundle Read()
    {
        if (Program != null)
        {
            return CertificateReader.Read(
                Program.Run(CertificateReader.SizeBytesMax), keyPem: null, Password, Name);
        }

        byte[] bytes = ReadFile(Path!);
        string? key = CertificateReader.IsPem(bytes) && KeyFile() is { } keyFile
            ? Encoding.UTF8.GetString(ReadFile(keyFile))
            : null;
        return CertificateReader.Read(bytes, key, Password, Name);
    }

    /// <summary>Replaces the file by another PKCS#12; the file before stays beside it as <c>.old</c>.</summary>
    /// <exception cref="CertificateException">It cannot be used, or not be written; nothing has changed.</exception>
    internal void Replace(ReadOnlySpan<byte> pkcs12, DateTimeOffset now)
    {
        const string posted = "The certificate in the request";
        if (Program != null)
        {
            throw new CertificateException(
                "The certificate comes from the program of Security.Certificate.Load.Exec: have that print another "
                + "one, then POST /admin/certificates/refresh.");
        }

        if (CertificateReader.IsPem(pkcs12))
        {
            throw new CertificateException($"{posted} is PEM; send PKCS#12 (.pfx) without a password.");
        }

        if (File.Exists(Path) && CertificateReader.IsPem(ReadFile(Path)))
        {
            throw new CertificateException(
                $"'{Path}' is PEM, with a key that may stand apart: replace the files on the server's machine, then "
                + "POST /admin/certificates/refresh.");
        }

        using (CertificateBundle bundle = CertificateReader.Read(pkcs12, keyPem: null, password: null, posted))
        {
            CertificateUse.CheckServer(bundle.Leaf, now, posted);
        }

        byte[] file = Password == null ? pkcs12.ToArray() : CertificateText.UnderPassword(pkcs12, Password);
        try
        {
            WriteFile(Path!, file);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new CertificateException($"'{Path}' cannot be replaced: {e.Message} Nothing has changed.", e);
        }
        finally
        {
            CryptographicOperations.ZeroMemory(file);
        }
    }

    /// <summary>Writes a file beside another, and then takes its place: a crash leaves the one or the other.</summary>
    private static void WriteFile(string path, byte[] content)
    {
        // What a link leads to is replaced, not the link.
        string target = File.ResolveLinkTarget(path, returnFinalTarget: true)?.FullName ?? path;
        string made = target + ".new";
        FileStreamOptions options = new FileStreamOptions
        {
            Mode = FileMode.Create,
            Access = FileAccess.Write,
            Share = FileShare.None,
        }.ForOwner();
        using (var file = new FileStream(made, options))
        {
            file.Write(content);
            file.Flush(flushToDisk: true);
        }

        File.Replace(made, target, target + ".old");
    }

    /// <summary>Beside <c>server.crt</c> its key is often <c>server.key</c>.</summary>
    private string? KeyFile()
    {
        if (KeyPath != null)
        {
            return KeyPath;
        }

        string beside = System.IO.Path.ChangeExtension(Path!, ".key");
        return beside != Path && File.Exists(beside) ? beside : null;
    }

    /// <summary>Reads a file whole, up to the limit: a device or a file of any size does not fill the memory.</summary>
    private static byte[] ReadFile(string path)
    {
        try
        {
            using FileStream file = new(
                path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete, 4096);
            byte[] buffer = new byte[CertificateReader.SizeBytesMax + 1];
            int length = file.ReadAtLeast(buffer, buffer.Length, throwOnEndOfStream: false);
            return length <= CertificateReader.SizeBytesMax
                ? buffer[..length]
                : throw new CertificateException(
                    $"'{path}' has more than {CertificateReader.SizeBytesMax:N0} bytes: it is no certificate.");
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new CertificateException($"'{path}' cannot be read: {e.Message}", e) { MayBeHalfWritten = true };
        }
    }
}
