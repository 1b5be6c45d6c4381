namespace Raven.Client.Exceptions.Documents;

/// <summary>The document that something belongs to is not there.</summary>
public sealed class DocumentDoesNotExistException(string message) : RavenException(message);
