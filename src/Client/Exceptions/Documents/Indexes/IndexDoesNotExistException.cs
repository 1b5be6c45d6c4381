namespace Raven.Client.Exceptions.Documents.Indexes;

/// <summary>There is no index of this name.</summary>
public sealed class IndexDoesNotExistException(string message) : RavenException(message);
