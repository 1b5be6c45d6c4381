using System.Security.Cryptography.X509Certificates;
using Microsoft.Extensions.Primitives;
using Raven.Security.Audit;
using Raven.Security.Certificates;
using Raven.Security.Rights;
using Raven.Server.Http;
using Raven.Server.Http.Routing;
using Raven.Server.Http.Security;

namespace Raven.Server.Handlers;

/// <summary>The routes of the server's own certificate.</summary>
internal static class ServerCertificateHandler
{
    private static readonly StringValues Pkcs12 = "application/x-pkcs12";

    private static readonly string[] OfReplace = ["Certificate"];

    [Route("POST", "/admin/certificates/replace-cluster-cert", Access.ClusterAdmin, HoldsSecrets = true,
        Summary = "Replaces the certificate of the server and its file",
        Query = "replaceImmediately:bool, raft-request-id")]
    internal static async ValueTask ReplaceAsync(RequestContext request)
    {
        TrustRequests.CheckMayChange(request);
        _ = request.Query.GetBool("replaceImmediately");
        ServerCertificate certificate = Of(request);
        IdentityBody body = await IdentityBody.ReadAsync(request, OfReplace).ConfigureAwait(false);
        byte[] posted = body.Bytes("Certificate");
        Change(
            request, certificate, "server.certificate.replaced",
            () => TrustRequests.TryApply(request, () => certificate.Replace(posted)));
        request.Response.Status = 204;
    }

    [Route("POST", "/admin/certificates/refresh", Access.ClusterAdmin, HoldsSecrets = true,
        Summary = "Reads the certificate of the server again from its source", Query = "replaceImmediately:bool")]
    internal static async ValueTask RefreshAsync(RequestContext request)
    {
        TrustRequests.CheckMayChange(request);
        _ = request.Query.GetBool("replaceImmediately");
        ServerCertificate certificate = Of(request);

        // A program that prints it may take half a minute.
        await Task.Run(() => Change(request, certificate, "server.certificate.reloaded", () =>
        {
            certificate.Reload(always: true);
            return true;
        })).ConfigureAwait(false);
        request.Response.Status = 204;
    }

    [Route("GET", "/admin/certificates/export", Access.Operator, HoldsSecrets = true,
        Summary = "The certificate of the server and those of its chain as PKCS#12, without a key")]
    internal static ValueTask ExportAsync(RequestContext request)
    {
        TrustRequests.CheckMayRead(request);
        ServerCertificate certificate = Of(request);
        byte[] file = CertificateText.PublicPkcs12(
            [certificate.Context.TargetCertificate, .. certificate.Context.IntermediateCertificates]);
        request.Server.Security.Audit.Done(
            request, "server.certificate.exported", resource: certificate.Current.Thumbprint);
        request.Response.Headers.ContentType = Pkcs12;
        request.Response.Headers.ContentDisposition = "attachment; filename=\"server.pfx\"";
        request.Response.Write(file);
        return ValueTask.CompletedTask;
    }

    /// <summary>Makes a change, which says whether it made one, and writes to the audit log how it ended.</summary>
    private static void Change(RequestContext request, ServerCertificate certificate, string what, Func<bool> change)
    {
        AuditTrail audit = request.Server.Security.Audit;
        string before = certificate.Current.Thumbprint;
        try
        {
            if (change())
            {
                audit.Done(
                    request, what, resource: certificate.Current.Thumbprint,
                    detail: [new KeyValuePair<string, string>("before", before)]);
            }
        }
        catch (CertificateException e)
        {
            audit.Done(
                request, what, resource: before, outcome: AuditOutcome.Failed,
                detail: [new KeyValuePair<string, string>("reason", e.Message)]);
            throw;
        }
    }

    private static ServerCertificate Of(RequestContext request) =>
        request.Server.Security.Certificate
        ?? throw new BadRequestException(
            400, ErrorType.InvalidOperation,
            "This server has no certificate: set Security.Certificate.Path, or start it with --setup dev-cert.");
}
