using System.Text.Json;
using Raven.Client.Documents.Commands;
using Raven.Client.Documents.Commands.Batches;
using Raven.Client.Documents.Operations.Attachments;

namespace Raven.Client.Documents.Session;

/// <summary>The calls on attachments of one session, asynchronous and blocking.</summary>
internal sealed class AttachmentsSessionOperations(AsyncDocumentSession session)
    : IAsyncAttachmentsSessionOperations, IAttachmentsSessionOperations
{
    public void Store(string documentId, string name, Stream stream, string? contentType = null)
    {
        ArgumentException.ThrowIfNullOrEmpty(documentId);
        ArgumentException.ThrowIfNullOrEmpty(name);
        ArgumentNullException.ThrowIfNull(stream);
        bool isThere = session.Deferred.OfType<PutAttachmentCommandData>()
            .Any(known => known.Name == name && known.Id.Equals(documentId, StringComparison.OrdinalIgnoreCase));
        if (isThere)
        {
            throw new InvalidOperationException($"This save already stores '{name}' of '{documentId}'.");
        }

        session.Defer(new PutAttachmentCommandData(documentId, name, stream, contentType));
    }

    public void Store(object entity, string name, Stream stream, string? contentType = null) =>
        Store(session.InfoOf(entity).Id, name, stream, contentType);

    public void Delete(string documentId, string name) =>
        session.Defer(new DeleteAttachmentCommandData(documentId, name));

    public void Delete(object entity, string name) => Delete(session.InfoOf(entity).Id, name);

    public void Rename(string documentId, string name, string newName) => Move(documentId, name, documentId, newName);

    public void Copy(
        string sourceDocumentId, string sourceName, string destinationDocumentId, string destinationName) =>
        session.Defer(new MoveAttachmentCommandData(
            sourceDocumentId, sourceName, destinationDocumentId, destinationName, keepSource: true));

    public void Move(
        string sourceDocumentId, string sourceName, string destinationDocumentId, string destinationName) =>
        session.Defer(new MoveAttachmentCommandData(
            sourceDocumentId, sourceName, destinationDocumentId, destinationName, keepSource: false));

    public AttachmentDetails[] GetNames(object entity)
    {
        DocumentInfo info = session.InfoOf(entity);
        if (info.OriginalMetadata is not { } metadata
            || !metadata.TryGetProperty("@attachments", out JsonElement attachments))
        {
            return [];
        }

        return
        [
            .. attachments.EnumerateArray().Select(attachment => new AttachmentDetails(
                info.Id, Text(attachment, "Name"), Text(attachment, "ContentType"), Text(attachment, "Hash"), null,
                attachment.TryGetProperty("Size", out JsonElement size) ? size.GetInt64() : -1)),
        ];
    }

    public Task<AttachmentResult?> GetAsync(
        string documentId, string name, CancellationToken cancellationToken = default) =>
        session.ExecuteAsync(new GetAttachmentCommand(documentId, name), cancellationToken);

    public Task<AttachmentResult?> GetAsync(
        object entity, string name, CancellationToken cancellationToken = default) =>
        GetAsync(session.InfoOf(entity).Id, name, cancellationToken);

    public async Task<bool> ExistsAsync(
        string documentId, string name, CancellationToken cancellationToken = default) =>
        await session.ExecuteAsync(new HeadAttachmentCommand(documentId, name), cancellationToken)
            .ConfigureAwait(false) != null;

    public AttachmentResult? Get(string documentId, string name) => GetAsync(documentId, name).GetAwaiter().GetResult();

    public AttachmentResult? Get(object entity, string name) => GetAsync(entity, name).GetAwaiter().GetResult();

    public bool Exists(string documentId, string name) => ExistsAsync(documentId, name).GetAwaiter().GetResult();

    private static string Text(JsonElement json, string name) =>
        json.TryGetProperty(name, out JsonElement value) ? value.GetString() ?? "" : "";
}
