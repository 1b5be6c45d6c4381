namespace Raven.Client.Documents.Operations.Attachments;

/// <summary>An attachment whose bytes arrive as they are read. Dispose it at the end.</summary>
public sealed class AttachmentResult : IDisposable
{
    private readonly HttpResponseMessage _response;

    internal AttachmentResult(HttpResponseMessage response, AttachmentDetails details)
    {
        _response = response;
        Details = details;
        Stream = response.Content.ReadAsStream();
    }

    /// <summary>The name, content type and hash of the attachment.</summary>
    public AttachmentDetails Details { get; }

    /// <summary>The bytes, which can be read once.</summary>
    public Stream Stream { get; }

    /// <inheritdoc/>
    public void Dispose() => _response.Dispose();
}
