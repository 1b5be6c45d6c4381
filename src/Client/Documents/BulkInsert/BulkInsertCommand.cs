using System.IO.Pipelines;
using Raven.Client.Http;

namespace Raven.Client.Documents.BulkInsert;

/// <summary>The request that carries a whole bulk insert.</summary>
internal sealed class BulkInsertCommand(long operationId, PipeReader body, BulkInsertOptions options)
    : RavenCommand<bool>
{
    internal override bool CanResend => false;

    protected internal override HttpRequestMessage CreateRequest(ServerNode node) =>
        new UrlBuilder(node, "/bulk_insert").Add("id", operationId)
            .Add("skipOverwriteIfUnchanged", options.SkipOverwriteIfUnchanged)
            .ToRequest(HttpMethod.Post, new PipeContent(body, options.UseCompression));

    protected internal override bool ReadResponse(RavenResponse response) => true;
}
