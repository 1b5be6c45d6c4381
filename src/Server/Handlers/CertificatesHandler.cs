using System.Security.Cryptography.X509Certificates;
using System.Text;
using System.Text.Json;
using Microsoft.Extensions.Primitives;
using Raven.Security.Certificates;
using Raven.Security.Registry;
using Raven.Security.Rights;
using Raven.Server.Http;
using Raven.Server.Http.Routing;
using Raven.Server.Http.Security;

namespace Raven.Server.Handlers;

/// <summary>The routes of the client certificates that the server trusts, and of who a caller is.</summary>
internal static class CertificatesHandler
{
    /// <summary>The years that a certificate lasts if its request does not say when it ends.</summary>
    private const int Years = 5;

    private const string KeyDropped =
        "A private key came with the certificate. It was dropped; send the public part only, as whoever has seen the "
        + "key can use it.";

    private static readonly StringValues Zip = "application/zip";

    private static readonly string[] OfPut =
        ["Name", "Certificate", "SecurityClearance", "Permissions", "TwoFactorAuthenticationKey"];

    private static readonly string[] OfPost =
    [
        "Name", "SecurityClearance", "Password", "Permissions", "NotAfter", "TwoFactorAuthenticationKey",
    ];

    private static readonly string[] OfEdit =
        ["Thumbprint", "Name", "SecurityClearance", "Permissions", "TwoFactorAuthenticationKey"];

    [Route("GET", "/admin/certificates", Access.Operator, Place = Place.Node, HoldsSecrets = true,
        Summary = "The certificates of clients that are trusted",
        Query = "start:int, pageSize:int, thumbprint, metadataOnly:bool, name")]
    internal static ValueTask GetAsync(RequestContext request)
    {
        TrustRequests.CheckMayRead(request);
        TrustSnapshot trust = request.Server.Security.Trust.Current;
        bool isMetadata = request.Query.GetBool("metadataOnly");
        IEnumerable<RegisteredCertificate> found = trust.Certificates;
        if (request.Query.GetText("thumbprint") is { } thumbprint)
        {
            // Clients take an answer with another number of results than one for a broken one, and 404 for none.
            if (trust.FindThumbprint(thumbprint) is not { } one)
            {
                ErrorResponse.Write(
                    request, 404, ErrorType.Argument, "No certificate with this thumbprint is registered.");
                return ValueTask.CompletedTask;
            }

            found = [one];
        }
        else
        {
            if (request.Query.GetText("name") is { } name)
            {
                found = found.Where(entry => entry.Name.Equals(name, StringComparison.OrdinalIgnoreCase));
            }

            found = TrustRequests.PageOf(request, found);
        }

        Utf8JsonWriter json = request.Response.BeginJson();
        json.WriteStartObject();
        json.WriteStartArray("Results"u8);
        foreach (RegisteredCertificate entry in found)
        {
            IdentityJson.Write(json, entry, trust, withCertificate: !isMetadata);
        }

        json.WriteEndArray();
        json.WriteEndObject();
        return ValueTask.CompletedTask;
    }

    [Route("PUT", "/admin/certificates", Access.Operator, Place = Place.Node, HoldsSecrets = true,
        Summary = "Registers certificates of clients", Query = "raft-request-id")]
    internal static async ValueTask PutAsync(RequestContext request)
    {
        TrustRequests.CheckMayChange(request);
        IdentityBody body = await IdentityBody.ReadAsync(request, OfPut).ConfigureAwait(false);
        RefuseSecondFactor(body);
        string name = body.ReadName();
        Clearance clearance = body.ReadClearance();
        Permissions permissions = body.ReadPermissions(clearance);
        PostedCertificates posted =
            PostedCertificates.Read(body.Bytes("Certificate"), request.Server.Time.GetUtcNow());
        TrustRequests.TryApply(request, () => request.Server.Security.Trust.Certificates.Put(
            request.Identity, name, posted.Certificates, clearance, permissions));
        if (posted.HadPrivateKey)
        {
            request.Response.Headers[UnknownMembers.HeaderName] = StringValues.Concat(
                request.Response.Headers[UnknownMembers.HeaderName], KeyDropped);
        }

        request.Response.Status = 204;
    }

    [Route("POST", "/admin/certificates", Access.Operator, Place = Place.Node, HoldsSecrets = true,
        Summary = "Makes a certificate for a client and registers it; the key is in the answer, and nowhere else",
        Query = "raft-request-id")]
    internal static async ValueTask PostAsync(RequestContext request)
    {
        TrustRequests.CheckMayChange(request);
        IdentityBody body = await IdentityBody.ReadAsync(request, OfPost).ConfigureAwait(false);
        RefuseSecondFactor(body);
        string name = body.ReadName();
        Clearance clearance = body.ReadClearance();
        Permissions permissions = body.ReadPermissions(clearance);
        string? password = body.OptionalText("Password");
        DateTimeOffset now = request.Server.Time.GetUtcNow();
        DateTimeOffset notAfter = body.TimeAfter(now, "NotAfter") ?? now.AddYears(Years);
        string fileName = CertificateArchive.FileNameOf(name);
        byte[] zip = [];
        TrustRequests.ApplyOnce(request, () =>
        {
            CheckMayGive(request.Identity, clearance);
            using X509Certificate2 made = new CertificateMaker(request.Server.Time).MakeClient(name, notAfter);
            zip = CertificateArchive.Make(made, fileName, string.IsNullOrEmpty(password) ? null : password, now);
            request.Server.Security.Trust.Certificates.Put(
                request.Identity, name, [ClientCertificate.Of(made)], clearance, permissions);
        });
        request.Response.Headers.ContentType = Zip;
        request.Response.Headers.ContentDisposition = $"attachment; filename=\"{fileName}.zip\"";
        request.Response.Write(zip);
    }

    [Route("POST", "/admin/certificates/edit", Access.Operator, Place = Place.Node, HoldsSecrets = true,
        Summary = "Gives a registered certificate another name or other rights", Query = "raft-request-id")]
    internal static async ValueTask EditAsync(RequestContext request)
    {
        TrustRequests.CheckMayChange(request);
        IdentityBody body = await IdentityBody.ReadAsync(request, OfEdit).ConfigureAwait(false);
        RefuseSecondFactor(body);
        string thumbprint = body.Text("Thumbprint");
        string name = body.ReadName();
        Clearance clearance = body.ReadClearance();
        Permissions permissions = body.ReadPermissions(clearance);
        TrustRequests.TryApply(request, () => request.Server.Security.Trust.Certificates.Edit(
            request.Identity, thumbprint, name, clearance, permissions));
        request.Response.Status = 204;
    }

    [Route("DELETE", "/admin/certificates", Access.Operator, Place = Place.Node, HoldsSecrets = true,
        Summary = "Takes the trust from a certificate and its renewals", Query = "thumbprint!, raft-request-id")]
    internal static ValueTask DeleteAsync(RequestContext request)
    {
        TrustRequests.CheckMayChange(request);
        string thumbprint = Encoding.UTF8.GetString(request.RequiredUtf8("thumbprint").Span);
        TrustRequests.TryApply(
            request, () => request.Server.Security.Trust.Certificates.Delete(request.Identity, thumbprint));
        request.Response.Status = 204;
        return ValueTask.CompletedTask;
    }

    [Route("DELETE", "/admin/certificates/purge", Access.Operator, Place = Place.Node, HoldsSecrets = true,
        Summary = "Removes the certificates that have ended", Query = "raft-request-id")]
    internal static ValueTask PurgeAsync(RequestContext request)
    {
        TrustRequests.CheckMayChange(request);
        TrustRequests.TryApply(
            request, () => request.Server.Security.Trust.Certificates.Purge(request.Identity));
        request.Response.Status = 204;
        return ValueTask.CompletedTask;
    }

    [Route("GET", "/certificates/whoami", Access.ValidUser, Place = Place.Node, HoldsSecrets = true,
        Summary = "Who the caller is, and what it may do")]
    internal static ValueTask WhoAmIAsync(RequestContext request)
    {
        Identity identity = request.Identity;
        string? pinningHash =
            identity.Kind == IdentityKind.Certificate && request.Caller?.Certificate is { } certificate
                ? ClientCertificate.Of(certificate).PinningHash
                : null;
        IdentityJson.Write(request.Response.BeginJson(), identity, pinningHash);
        return ValueTask.CompletedTask;
    }

    /// <summary>
    /// Refuses what the registry would, before a key is made for nothing: that takes a second of a processor.
    /// </summary>
    private static void CheckMayGive(Identity by, Clearance clearance)
    {
        if (!by.MayManage(clearance))
        {
            throw new RegistryException(
                RegistryRefusal.Forbidden,
                $"Only a ClusterAdmin makes certificates with the clearance {Clearances.NameOf(clearance)}.");
        }
    }

    private static void RefuseSecondFactor(IdentityBody body)
    {
        if (body.OptionalText("TwoFactorAuthenticationKey") is not null)
        {
            throw new BadRequestException(
                501, ErrorType.NotSupported,
                "A second factor (TwoFactorAuthenticationKey) is not served by this server.");
        }
    }
}
