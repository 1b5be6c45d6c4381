namespace Raven.Client.Exceptions.Documents;

/// <summary>The document of a counter, an attachment or another part does not exist.</summary>
public sealed class DocumentDoesNotExistException(string message) : RavenException(message);
