namespace Raven.Client.Exceptions.Documents.Attachments;

/// <summary>The attachment does not exist.</summary>
public sealed class AttachmentDoesNotExistException(string message) : RavenException(message);
