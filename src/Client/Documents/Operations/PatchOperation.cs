using System.Text.Json;
using Raven.Client.Documents.Conventions;
using Raven.Client.Http;

namespace Raven.Client.Documents.Operations;

/// <summary>Changes one document by a script, without loading it.</summary>
/// <param name="id">The document.</param>
/// <param name="changeVector">The change vector that the document must have; null for any.</param>
/// <param name="patch">The script.</param>
/// <param name="patchIfMissing">The script that makes the document if there is none; null makes none.</param>
/// <param name="skipPatchIfChangeVectorMismatch">
/// Whether the patch is skipped if the change vector differs; otherwise that is an error.
/// </param>
public sealed class PatchOperation(
    string id, string? changeVector, PatchRequest patch, PatchRequest? patchIfMissing = null,
    bool skipPatchIfChangeVectorMismatch = false) : IOperation<PatchResult>
{
    /// <inheritdoc/>
    public RavenCommand<PatchResult> GetCommand(DocumentConventions conventions) => new SimpleCommand<PatchResult>(
        node => Request(node, conventions), Read, isRead: false)
    { NotFoundIsResult = true };

    private PatchResult Read(RavenResponse response)
    {
        if (response.IsNotFound)
        {
            return new PatchResult(PatchStatus.DocumentDoesNotExist, null, null);
        }

        if (response.StatusCode == 304)
        {
            // Older servers also answer so if the script left the document unchanged.
            return new PatchResult(
                skipPatchIfChangeVectorMismatch ? PatchStatus.Skipped : PatchStatus.NotModified, null, null);
        }

        JsonElement json = response.ReadJson();
        return new PatchResult(
            Enum.Parse<PatchStatus>(json.GetProperty("Status").GetString()!),
            json.TryGetProperty("ModifiedDocument", out JsonElement document)
                && document.ValueKind == JsonValueKind.Object ? document : null,
            json.TryGetProperty("ChangeVector", out JsonElement vector) ? vector.GetString() : null);
    }

    private HttpRequestMessage Request(ServerNode node, DocumentConventions conventions)
    {
        HttpRequestMessage request = new UrlBuilder(node, "/docs").Add("id", id)
            .Add("skipPatchIfChangeVectorMismatch", skipPatchIfChangeVectorMismatch)
            .ToRequest(HttpMethod.Patch, JsonBody.Write(writer => Write(writer, conventions)));
        if (changeVector != null)
        {
            request.Headers.TryAddWithoutValidation("If-Match", $"\"{changeVector}\"");
        }

        return request;
    }

    private void Write(Utf8JsonWriter writer, DocumentConventions conventions)
    {
        writer.WriteStartObject();
        writer.WritePropertyName("Patch"u8);
        patch.WriteTo(writer, conventions);
        if (patchIfMissing != null)
        {
            writer.WritePropertyName("PatchIfMissing"u8);
            patchIfMissing.WriteTo(writer, conventions);
        }

        writer.WriteEndObject();
    }
}
