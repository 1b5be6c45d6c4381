using Microsoft.Extensions.Primitives;
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

    [Route("POST", "/admin/certificates/replace-cluster-cert", Access.ClusterAdmin, Place = Place.Node,
        HoldsSecrets = true,
        Audit = "server.certificate.replaced",
        Summary = "Replaces the certificate of the server and its file",
        Query = "replaceImmediately:bool, raft-request-id")]
    internal static async ValueTask ReplaceAsync(RequestContext request)
    {
        TrustRequests.CheckMayChange(request);
        _ = request.Query.GetBool("replaceImmediately");
        ServerCertificate certificate = Of(request);
        IdentityBody body = await IdentityBody.ReadAsync(request, OfReplace).ConfigureAwait(false);
        byte[] posted = body.Bytes("Certificate");
        TrustRequests.TryApply(request, () =>
        {
            request.Announce(resource: certificate.Current.Thumbprint);
            request.Server.Security.ReplaceCertificate(posted);
        });
        request.Response.Status = 204;
    }

    [Route("POST", "/admin/certificates/refresh", Access.ClusterAdmin, Place = Place.Node, HoldsSecrets = true,
        Audit = "server.certificate.reloaded", IsAuditNote = true,
        Summary = "Reads the certificate of the server again from its source", Query = "replaceImmediately:bool")]
    internal static async ValueTask RefreshAsync(RequestContext request)
    {
        TrustRequests.CheckMayChange(request);
        _ = request.Query.GetBool("replaceImmediately");
        ServerCertificate certificate = Of(request);

        // A program that prints it may take half a minute.
        request.Announce(resource: certificate.Current.Thumbprint);
        await Task.Run(request.Server.Security.RefreshCertificateByRequest).ConfigureAwait(false);
        request.Response.Status = 204;
    }

    [Route("GET", "/admin/certificates/export", Access.Operator, Place = Place.Node, HoldsSecrets = true,
        Audit = "server.certificate.exported", IsAuditNote = true,
        Summary = "The certificate of the server and those of its chain as PKCS#12, without a key")]
    internal static ValueTask ExportAsync(RequestContext request)
    {
        TrustRequests.CheckMayRead(request);
        ServerCertificate certificate = Of(request);
        byte[] file = CertificateText.PublicPkcs12(
            [certificate.Context.TargetCertificate, .. certificate.Context.IntermediateCertificates]);
        request.Announce(resource: certificate.Current.Thumbprint);
        request.Response.Headers.ContentType = Pkcs12;
        request.Response.Headers.ContentDisposition = "attachment; filename=\"server.pfx\"";
        request.Response.Write(file);
        return ValueTask.CompletedTask;
    }

    private static ServerCertificate Of(RequestContext request) =>
        request.Server.Security.Certificate
        ?? throw new BadRequestException(
            400, ErrorType.InvalidOperation,
            "This server has no certificate: set Security.Certificate.Path, or start it with --setup dev-cert.");
}
