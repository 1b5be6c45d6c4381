using System.Globalization;
using System.Net.Http.Headers;
using System.Text.Json;
using Raven.Client.Documents.Commands.Batches;
using Raven.Client.Documents.Conventions;
using Raven.Client.Documents.Session;
using Raven.Client.Http;

namespace Raven.Client.Documents.Commands;

/// <summary>Several commands as one transaction.</summary>
internal sealed class BatchCommand(
    DocumentConventions conventions, IReadOnlyList<ICommandData> commands, TransactionMode mode, BatchWait? wait)
    : RavenCommand<JsonElement>
{
    internal override string Kind => "save";

    internal override TimeSpan ServerWaitMax => wait?.Timeout ?? TimeSpan.Zero;

    internal override bool CanResend => !Attachments.Any();

    private IEnumerable<PutAttachmentCommandData> Attachments => commands.OfType<PutAttachmentCommandData>();

    protected internal override HttpRequestMessage CreateRequest(ServerNode node)
    {
        var url = new UrlBuilder(node, "/bulk_docs");
        if (wait != null)
        {
            url.Add("waitForIndexesTimeout", wait.Timeout.ToString("c", CultureInfo.InvariantCulture))
                .Add("waitForIndexThrow", wait.ThrowOnTimeout ? "true" : "false")
                .AddAll("waitForSpecificIndex", wait.Indexes);
        }

        JsonBody body = JsonBody.Write(WriteBody);
        return url.ToRequest(HttpMethod.Post, Attachments.Any() ? WithAttachments(body) : body);
    }

    protected internal override JsonElement ReadResponse(RavenResponse response) =>
        response.ReadJson().GetProperty("Results");

    private MultipartFormDataContent WithAttachments(JsonBody body)
    {
        var content = new MultipartFormDataContent { { body, "main" } };
        int number = 0;
        foreach (PutAttachmentCommandData attachment in Attachments)
        {
            var stream = new BorrowedStreamContent(attachment.Stream);
            stream.Headers.ContentType = new MediaTypeHeaderValue("application/octet-stream");
            content.Add(stream, $"attachment_{number++}", "blob");
        }

        return content;
    }

    private void WriteBody(Utf8JsonWriter writer)
    {
        writer.WriteStartObject();
        writer.WriteStartArray("Commands"u8);
        foreach (ICommandData command in commands)
        {
            command.WriteTo(writer, conventions);
        }

        writer.WriteEndArray();
        if (mode == TransactionMode.ClusterWide)
        {
            writer.WriteString("TransactionMode"u8, "ClusterWide"u8);
        }

        writer.WriteEndObject();
    }
}
