namespace Raven.Client.Exceptions.Documents.Attachments;

/// <summary>The attachment is not there.</summary>
public sealed class AttachmentDoesNotExistException(string message) : RavenException(message);
