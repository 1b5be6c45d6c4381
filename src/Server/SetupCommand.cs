using System.Collections;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using Microsoft.Extensions.Logging.Abstractions;
using Raven.Documents;
using Raven.Documents.Catalog;
using Raven.Security.Certificates;
using Raven.Security.Registry;
using Raven.Security.Rights;
using Raven.Security.Secrets;
using Raven.Server.Http.Security;
using Raven.Server.Options;
using Raven.Server.Setup;
using Raven.Storage.Errors;

namespace Raven.Server;

/// <summary>
/// <c>--setup</c>: makes what a secured server needs, and registers administrators, on the machine of the server and
/// while it does not run. No request over the network does either.
/// </summary>
internal static class SetupCommand
{
    private const string FileKey = "--setup add-admin";

    /// <summary>Does what the command line asks for.</summary>
    /// <param name="arguments">The command line.</param>
    /// <param name="environment">The environment variables.</param>
    /// <param name="currentFolder">The folder of the settings files.</param>
    /// <param name="clock">The clock.</param>
    /// <returns>What to print.</returns>
    /// <exception cref="ServerOptionException">It cannot be done as it is asked for.</exception>
    /// <exception cref="ServerStartException">A server has the folder of the data, or it cannot be used.</exception>
    internal static string Run(
        IReadOnlyList<string> arguments, IDictionary environment, string currentFolder, TimeProvider clock)
    {
        SetupRequest request = SetupRequest.Parse(arguments, currentFolder);
        ServerOptions options = OptionReader.ReadUnchecked(request.Rest, environment, currentFolder);
        if (options.RunInMemory)
        {
            throw new ServerOptionException(
                "RunInMemory", "such a server forgets whom it trusts: set up one with a DataDir.");
        }

        try
        {
            return request.Kind == SetupRequest.DevCertificate
                ? MakeDevCertificate(request, options, clock)
                : AddAdministrator(request.File, options, clock);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or StorageIOException
            or StorageCorruptedException or StorageVersionException or MasterKeyException or RegistryException)
        {
            throw new ServerStartException($"The setup failed: {e.Message}", e);
        }
    }

    private static string MakeDevCertificate(SetupRequest request, ServerOptions options, TimeProvider clock)
    {
        DevCertificate.CheckFree(request.Folder);
        using DataFolder data = DataFolder.Acquire(options.DataDirectory);
        using DevCertificate made = DevCertificate.Make(request.Hosts, clock);
        ServerOptions settings = DevCertificate.SettingsOf(options, request);
        made.Write(request.Folder, settings);
        try
        {
            Register(options, data, DevCertificate.AdminName, ClientCertificate.Of(made.Administrator), clock);
        }
        catch
        {
            DevCertificate.Remove(request.Folder);
            throw;
        }

        return SetupReport.Of(made, request.Folder, settings);
    }

    private static string AddAdministrator(string path, ServerOptions options, TimeProvider clock)
    {
        PostedCertificates posted = Read(path, clock);
        if (posted.Certificates is not [var certificate])
        {
            throw new ServerOptionException(
                FileKey,
                $"{path} has {posted.Certificates.Count} certificates: it must have the administrator's alone.");
        }

        using DataFolder data = DataFolder.Acquire(options.DataDirectory);
        string name = NameOf(certificate);
        Register(options, data, name, certificate, clock);
        string warning = posted.HadPrivateKey
            ? $"{path} has a private key, too. The server needs none: keep it where its owner alone can read it.\n"
            : "";
        return SetupReport.Registered(name, certificate.Thumbprint, options.DataDirectory) + "\n" + warning;
    }

    private static PostedCertificates Read(string path, TimeProvider clock)
    {
        try
        {
            using FileStream file = new(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite);
            byte[] buffer = new byte[CertificateReader.SizeBytesMax + 1];
            int length = file.ReadAtLeast(buffer, buffer.Length, throwOnEndOfStream: false);
            return PostedCertificates.Read(buffer.AsSpan(0, length), clock.GetUtcNow());
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or CertificateException)
        {
            throw new ServerOptionException(FileKey, $"{path} cannot be used: {e.Message}");
        }
    }

    private static string NameOf(ClientCertificate certificate)
    {
        using X509Certificate2 read = X509CertificateLoader.LoadCertificate(
            certificate.Der);
        string name = read.GetNameInfo(
            X509NameType.SimpleName, forIssuer: false);
        return name.Length > 0 ? name : certificate.Thumbprint;
    }

    private static void Register(
        ServerOptions options, DataFolder data, string name, ClientCertificate certificate, TimeProvider clock)
    {
        using DatabaseCatalog catalog = DatabaseCatalog.Open(new CatalogOptions
        {
            Folders = new DatabaseFolders(data.Path),
            Clock = clock,
            Random = new Random(RandomNumberGenerator.GetInt32(int.MaxValue)),
        });
        using var keys = ServerKeys.Open(options, data.Path, catalog.Records);
        (TrustRegistry trust, AuditTrail audit) = ServerSecurity.OpenTrust(
            options.Security, keys, catalog.Records, NullLogger.Instance, clock);
        using (audit)
        {
            trust.Certificates.Put(
                OfflineServer.Operator(), name, [certificate], Clearance.ClusterAdmin, Permissions.None);
        }
    }
}
